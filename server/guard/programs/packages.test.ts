import { describe, expect, it } from "vitest";
import { effectLines } from "@/server/testing/effect-lines";
import { listOf } from "@/server/testing/list-of";

const table: readonly [command: string, effects: string][] = [
  ...listOf(`
    npm install ¦ npm init vite ¦ yarn ¦ npm create vite@latest ¦ yarn add x ¦ bun install
  `).map((given) => [given, "execute inside; write inside .; connect outside registry.npmjs.org; !shell.written_program"] as const),
  ...listOf(`
    npm run build -- --base=/app/ ¦ npm test ¦ npm install --help ¦ npm exec jest ../a ¦ npm run ¦ yarn --version ¦ yarn build ¦ bun run a
    npx tsc --noEmit ¦ uv run pytest -q ¦ cargo build --release ¦ cargo +nightly test ¦ go test ./... ¦ bundle exec rspec ¦ composer test
    npm pack ¦ conda activate x ¦ cargo metadata ¦ go run ./cmd ¦ go run ¦ gem build a.gemspec ¦ bundle list ¦ composer show
    mise run build ¦ npx ¦ npx --version ¦ bun run
  `).map((given) => [given, "execute inside; !shell.written_program"] as const),
  ...listOf(`
    npm --version ¦ npm config get registry ¦ npm ls ¦ pip list ¦ conda env list ¦ fnm use 20 ¦ go env ¦ apt list --installed ¦ dpkg -l
    pacman -Q ¦ brew list ¦ nvm use 20 ¦ npm config ¦ poetry show ¦ poetry check ¦ uv tool list ¦ conda list ¦ go version ¦ go mod graph
    gem list ¦ nuget list ¦ pyenv versions ¦ rpm -qa ¦ apt-mark showhold ¦ bun ¦ bun pm ls ¦ rpm -qc x
  `).map((given) => [given, ""] as const),
  ...listOf(`
    pip uninstall x ¦ poetry remove x ¦ conda remove x ¦ cargo clean ¦ gem uninstall x ¦ bundle clean
  `).map((given) => [given, "write inside ."] as const),
  [
    "npm install lodash@~4.17 ../shared",
    "execute inside; write inside .; connect outside registry.npmjs.org; read outside ../shared recursive; !shell.written_program",
  ],
  ["npm i --registry http://localhost:4873 x", "connect outside localhost:4873; execute inside; write inside .; !shell.written_program"],
  [
    "npm --prefix web install",
    "read names inside web; execute inside; write inside .; connect outside registry.npmjs.org; !shell.written_program",
  ],
  [
    "npm i -g typescript",
    "elevate outside; execute inside; write inside .; connect outside registry.npmjs.org; !shell.machine_setup; !shell.written_program",
  ],
  ["npm exec -- tsc", "execute inside; write inside .; !shell.written_program"],
  ["npm publish", "execute inside; send outside registry.npmjs.org irreversible; !shell.written_program"],
  ["npm unpublish x", "send outside registry.npmjs.org irreversible; delete outside irreversible; !shell.delete_service_data"],
  ["npm config set registry x", "write inside .npmrc"],
  ["pnpm dlx create-x", "execute inside; connect outside registry.npmjs.org; !shell.written_program"],
  ["bun ../x.ts", "execute outside ../x.ts; execute inside; !shell.written_program"],
  ["npx -y cowsay hi", "execute inside; connect outside registry.npmjs.org; !shell.written_program"],
  ["npx rimraf ../x", "execute inside; delete outside ../x recursive; !shell.written_program"],
  ["npx prettier@3 --write .", "execute inside; connect outside registry.npmjs.org; write inside . recursive; !shell.written_program"],
  ["npx @scope/pkg@1 x", "execute inside; connect outside registry.npmjs.org; !shell.written_program"],
  ["npx -c 'cat ../x'", "read outside ../x; execute inside; !shell.written_program"],
  [
    "pip install -r requirements.txt",
    "read inside requirements.txt; execute inside; write inside .; connect outside pypi.org; connect outside files.pythonhosted.org; !shell.written_program",
  ],
  [
    "pip install git+https://github.com/a/b ./local 'pkg @ https://e.com/x.whl'",
    "execute inside; write inside .; connect outside pypi.org; connect outside files.pythonhosted.org; connect outside github.com; read inside local recursive; connect outside e.com; !shell.written_program",
  ],
  [
    "pip install -i https://pypi.example.com/simple x",
    "connect outside pypi.example.com; execute inside; write inside .; !shell.written_program",
  ],
  ["uv run rm x", "execute inside; delete inside x; !shell.written_program; !shell.delete"],
  [
    "uv pip install x",
    "execute inside; write inside .; connect outside pypi.org; connect outside files.pythonhosted.org; !shell.written_program",
  ],
  ["uvx ruff check", "execute inside; connect outside pypi.org; connect outside files.pythonhosted.org; !shell.written_program"],
  ["uv tool run ruff@1 check", "execute inside; connect outside pypi.org; connect outside files.pythonhosted.org; !shell.written_program"],
  ["poetry run rm -rf ../x", "execute inside; delete outside ../x recursive; !shell.written_program; !shell.delete"],
  [
    "poetry install",
    "execute inside; write inside .; connect outside pypi.org; connect outside files.pythonhosted.org; !shell.written_program",
  ],
  [
    "conda env create -f environment.yml",
    "read inside environment.yml; connect outside repo.anaconda.com; connect outside conda.anaconda.org; execute inside; write inside .; !shell.written_program",
  ],
  ["fnm use 20 --install-if-missing", "connect not_known"],
  ["twine upload dist/a.whl", "send outside upload.pypi.org irreversible; read inside dist/a.whl"],
  ["twine check dist/a.whl", "read inside dist/a.whl"],
  ["pod install", "connect outside cdn.cocoapods.org; execute inside; write inside .; !shell.written_program"],
  ["pod trunk push", "send outside trunk.cocoapods.org irreversible"],
  ["hf upload a/b model.bin", "send outside huggingface.co irreversible; read inside model.bin"],
  ["huggingface-cli download a/b --local-dir models", "write inside models; connect outside huggingface.co; write inside ."],
  ["poetry publish", "send outside upload.pypi.org irreversible"],
  [
    "conda install x",
    "connect outside repo.anaconda.com; connect outside conda.anaconda.org; execute inside; write inside .; !shell.written_program",
  ],
  ["conda run -n e rm x", "execute inside; delete inside x; !shell.written_program; !shell.delete"],
  [
    "cargo add serde@~1.0",
    "execute inside; write inside .; connect outside crates.io; connect outside index.crates.io; connect outside static.crates.io; !shell.written_program",
  ],
  [
    "cargo install ripgrep",
    "execute inside; write inside .; connect outside crates.io; connect outside index.crates.io; connect outside static.crates.io; !shell.written_program",
  ],
  ["cargo publish", "execute inside; send outside crates.io irreversible; !shell.written_program"],
  ["cargo run --config 'x' -- -o /etc/x", "execute not_known; execute inside; !shell.runs_command; !shell.written_program"],
  ["go build -o bin/x ./...", "write inside bin/x; execute inside; !shell.written_program"],
  [
    "go get github.com/a/b@latest",
    "execute inside; write inside .; connect outside proxy.golang.org; connect outside sum.golang.org; !shell.written_program",
  ],
  ["go mod tidy", "connect outside proxy.golang.org; connect outside sum.golang.org; write inside ."],
  ["go env -w X=y", "write inside .config/go/env; execute not_known; !shell.runs_command"],
  ["go run x@latest", "execute inside; connect outside proxy.golang.org; connect outside sum.golang.org; !shell.written_program"],
  ["go vet -vettool=/tmp/x ./...", "execute not_known; execute inside; !shell.runs_command; !shell.written_program"],
  [
    "gem install x",
    "execute inside; write inside .; connect outside rubygems.org; connect outside index.rubygems.org; !shell.written_program",
  ],
  ["gem push a.gem", "send outside rubygems.org irreversible"],
  ["gem open x", "execute not_known; !shell.runs_command"],
  [
    "bundle install",
    "execute inside; write inside .; connect outside rubygems.org; connect outside index.rubygems.org; !shell.written_program",
  ],
  ["bundle", "execute inside; write inside .; connect outside rubygems.org; connect outside index.rubygems.org; !shell.written_program"],
  [
    'composer require "monolog/monolog:~3.0"',
    "execute inside; write inside .; connect outside repo.packagist.org; connect outside api.github.com; !shell.written_program",
  ],
  ["apt-get install -y curl", "elevate outside; !shell.machine_setup"],
  ["apt-get -o X=y update", "execute not_known; elevate outside; !shell.runs_command; !shell.machine_setup"],
  ["dpkg -i a.deb", "elevate outside; execute inside a.deb; !shell.machine_setup; !shell.written_program"],
  ["pacman -Syu", "elevate outside; !shell.machine_setup"],
  ["brew install x", "elevate outside; !shell.machine_setup"],
  ["rustup update", "connect not_known; write inside ."],
  ["mise exec rm x", "execute inside; delete inside x; !shell.written_program; !shell.delete"],
  [
    "npm install user/repo",
    "execute inside; write inside .; connect outside registry.npmjs.org; connect not_known; !shell.written_program",
  ],
  [
    "npm install file:../shared",
    "execute inside; write inside .; connect outside registry.npmjs.org; read outside ../shared recursive; !shell.written_program",
  ],
  ["npm --script-shell /tmp/x run a", "execute not_known; execute inside; !shell.runs_command; !shell.written_program"],
  ["pnpm exec eslint .", "execute inside; read inside . recursive; !shell.written_program"],
  ["npm whoami", "connect outside registry.npmjs.org"],
  ["npm init", "execute inside; write inside .; !shell.written_program"],
  ["npm explore x -- ls", "execute not_known; read names inside .; !shell.runs_command"],
  ["npm login", "connect outside registry.npmjs.org"],
  ["npm uninstall x", "execute inside; write inside .; !shell.written_program"],
  ["pip download -d ../x y", "write outside ../x; write inside .; connect outside pypi.org; connect outside files.pythonhosted.org"],
  [
    "pip install --target ../x y",
    "write outside ../x; execute inside; write inside .; connect outside pypi.org; connect outside files.pythonhosted.org; !shell.written_program",
  ],
  ["poetry shell", "execute not_known; !shell.runs_command"],
  ["uv venv .venv", "write inside .venv"],
  [
    "uv tool install ruff",
    "execute inside; write inside .; connect outside pypi.org; connect outside files.pythonhosted.org; !shell.written_program",
  ],
  [
    "pipx run black .",
    "execute inside; connect outside pypi.org; connect outside files.pythonhosted.org; write inside .; !shell.written_program",
  ],
  [
    "pipx install black",
    "execute inside; write inside .; connect outside pypi.org; connect outside files.pythonhosted.org; !shell.written_program",
  ],
  ["cargo yank x", "delete outside irreversible; !shell.delete_service_data"],
  ["cargo login", "connect outside crates.io"],
  ["go generate ./...", "execute inside; execute not_known; !shell.written_program; !shell.runs_command"],
  [
    "bundle package",
    "execute inside; write inside .; connect outside rubygems.org; connect outside index.rubygems.org; !shell.written_program",
  ],
  ["composer config x y", "execute inside; write inside .; !shell.written_program"],
  ["nuget push a.nupkg", "send outside api.nuget.org irreversible"],
  ["nuget install x", "connect outside api.nuget.org; write inside ."],
  ["corepack enable", "connect outside registry.npmjs.org"],
  ["npx $x", "execute inside; execute not_known; !shell.written_program; !shell.not_followed; !shell.hidden_command"],
  ["snap install x", "elevate outside; !shell.machine_setup"],
  ["dpkg --purge x", "elevate outside; !shell.machine_setup"],
  ["bun -e x", "execute not_known; !shell.inline_program"],
  ["bun - < a.ts", "read inside a.ts; execute inside; execute not_known; !shell.written_program"],
  ["bun run ../x.ts", "execute inside; execute outside ../x.ts; !shell.written_program"],
  ["bun publish", "execute inside; send outside registry.npmjs.org irreversible; !shell.written_program"],
  ["bun repl", "execute not_known; !shell.runs_command"],
  [
    "pip install --pre x ../y",
    "execute inside; write inside .; connect outside pypi.org; connect outside files.pythonhosted.org; read outside ../y recursive; !shell.written_program",
  ],
  [
    "npm i --save ../x",
    "execute inside; write inside .; connect outside registry.npmjs.org; read outside ../x recursive; !shell.written_program",
  ],
];

describe("what package managers do", () => {
  it.each(table)("`%s` does: %s", (command, effects) => {
    expect(effectLines(command)).toBe(effects);
  });
});
