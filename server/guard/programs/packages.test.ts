import { expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";
import { examples, examplesByName } from "@/server/testing/guard/examples";

const table = examplesByName({
  "execute inside; write inside .; connect outside registry.npmjs.org; !shell.written_program": examples`
    npm install ¦ npm init vite ¦ yarn ¦ npm create vite@latest ¦ yarn add x ¦ bun install
  `,
  "execute inside; write inside .; connect outside registry.npmjs.org; read outside ../shared recursive; !shell.written_program": examples`
    npm install lodash@~4.17 ../shared ¦ npm install file:../shared
  `,
  "connect outside localhost:4873; execute inside; write inside .; !shell.written_program": examples`npm i --registry http://localhost:4873 x`,
  "read names inside web; execute inside; write inside .; connect outside registry.npmjs.org; !shell.written_program": examples`npm --prefix web install`,
  "execute inside; !shell.written_program": examples`
    npm run build -- --base=/app/ ¦ npm test ¦ npm install --help ¦ npm exec jest ../a ¦ npm run ¦ yarn --version ¦ yarn build ¦ bun run a
    npx tsc --noEmit ¦ uv run pytest -q ¦ cargo build --release ¦ cargo +nightly test ¦ go test ./... ¦ bundle exec rspec ¦ composer test
    npm pack ¦ conda activate x ¦ cargo metadata ¦ go run ./cmd ¦ go run ¦ gem build a.gemspec ¦ bundle list ¦ composer show
    mise run build ¦ npx ¦ npx --version ¦ bun run
  `,
  "": examples`
    npm --version ¦ npm config get registry ¦ npm ls ¦ pip list ¦ conda env list ¦ fnm use 20 ¦ go env ¦ apt list --installed ¦ dpkg -l
    pacman -Q ¦ brew list ¦ nvm use 20 ¦ npm config ¦ poetry show ¦ poetry check ¦ uv tool list ¦ conda list ¦ go version ¦ go mod graph
    gem list ¦ nuget list ¦ pyenv versions ¦ rpm -qa ¦ apt-mark showhold ¦ bun ¦ bun pm ls ¦ rpm -qc x
  `,
  "elevate outside; execute inside; write inside .; connect outside registry.npmjs.org; !shell.machine_setup; !shell.written_program": examples`npm i -g typescript`,
  "execute inside; write inside .; !shell.written_program": examples`npm exec -- tsc ¦ npm init ¦ npm uninstall x ¦ composer config x y`,
  "execute inside; send outside registry.npmjs.org irreversible; !shell.written_program": examples`npm publish ¦ bun publish`,
  "send outside registry.npmjs.org irreversible; delete outside irreversible; !shell.delete_service_data": examples`npm unpublish x`,
  "write inside .npmrc": examples`npm config set registry x`,
  "execute inside; connect outside registry.npmjs.org; !shell.written_program": examples`pnpm dlx create-x ¦ npx -y cowsay hi ¦ npx @scope/pkg@1 x`,
  "execute outside ../x.ts; execute inside; !shell.written_program": examples`bun ../x.ts`,
  "execute inside; delete outside ../x recursive; !shell.written_program": examples`npx rimraf ../x`,
  "execute inside; connect outside registry.npmjs.org; write inside . recursive; !shell.written_program": examples`npx prettier@3 --write .`,
  "read outside ../x; execute inside; !shell.written_program": examples`npx -c 'cat ../x'`,
  "read inside requirements.txt; execute inside; write inside .; connect outside pypi.org; connect outside files.pythonhosted.org; !shell.written_program": examples`
    pip install -r requirements.txt
  `,
  "execute inside; write inside .; connect outside pypi.org; connect outside files.pythonhosted.org; connect outside github.com; read inside local recursive; connect outside e.com; !shell.written_program": examples`
    pip install git+https://github.com/a/b ./local 'pkg @ https://e.com/x.whl'
  `,
  "connect outside pypi.example.com; execute inside; write inside .; !shell.written_program": examples`pip install -i https://pypi.example.com/simple x`,
  "execute inside; delete inside x; !shell.written_program; !shell.delete": examples`uv run rm x ¦ conda run -n e rm x ¦ mise exec rm x`,
  "execute inside; write inside .; connect outside pypi.org; connect outside files.pythonhosted.org; !shell.written_program": examples`
    uv pip install x ¦ poetry install ¦ uv tool install ruff ¦ pipx install black
  `,
  "execute inside; connect outside pypi.org; connect outside files.pythonhosted.org; !shell.written_program": examples`uvx ruff check ¦ uv tool run ruff@1 check`,
  "execute inside; delete outside ../x recursive; !shell.written_program; !shell.delete": examples`poetry run rm -rf ../x`,
  "read inside environment.yml; connect outside repo.anaconda.com; connect outside conda.anaconda.org; execute inside; write inside .; !shell.written_program": examples`
    conda env create -f environment.yml
  `,
  "connect not_known": examples`fnm use 20 --install-if-missing`,
  "send outside upload.pypi.org irreversible; read inside dist/a.whl": examples`twine upload dist/a.whl`,
  "read inside dist/a.whl": examples`twine check dist/a.whl`,
  "connect outside cdn.cocoapods.org; execute inside; write inside .; !shell.written_program": examples`pod install`,
  "send outside trunk.cocoapods.org irreversible": examples`pod trunk push`,
  "send outside huggingface.co irreversible; read inside model.bin": examples`hf upload a/b model.bin`,
  "write inside models; connect outside huggingface.co; write inside .": examples`huggingface-cli download a/b --local-dir models`,
  "send outside upload.pypi.org irreversible": examples`poetry publish`,
  "connect outside repo.anaconda.com; connect outside conda.anaconda.org; execute inside; write inside .; !shell.written_program": examples`conda install x`,
  "execute inside; write inside .; connect outside crates.io; connect outside index.crates.io; connect outside static.crates.io; !shell.written_program": examples`
    cargo add serde@~1.0 ¦ cargo install ripgrep
  `,
  "execute inside; send outside crates.io irreversible; !shell.written_program": examples`cargo publish`,
  "execute not_known; execute inside; !shell.runs_command; !shell.written_program": examples`
    cargo run --config 'x' -- -o /etc/x ¦ go vet -vettool=/tmp/x ./... ¦ npm --script-shell /tmp/x run a
  `,
  "write inside bin/x; execute inside; !shell.written_program": examples`go build -o bin/x ./...`,
  "execute inside; write inside .; connect outside proxy.golang.org; connect outside sum.golang.org; !shell.written_program": examples`go get github.com/a/b@latest`,
  "connect outside proxy.golang.org; connect outside sum.golang.org; write inside .": examples`go mod tidy`,
  "write inside .config/go/env; execute not_known; !shell.runs_command": examples`go env -w X=y`,
  "execute inside; connect outside proxy.golang.org; connect outside sum.golang.org; !shell.written_program": examples`go run x@latest`,
  "execute inside; write inside .; connect outside rubygems.org; connect outside index.rubygems.org; !shell.written_program": examples`
    gem install x ¦ bundle install ¦ bundle ¦ bundle package
  `,
  "send outside rubygems.org irreversible": examples`gem push a.gem`,
  "execute not_known; !shell.runs_command": examples`gem open x ¦ poetry shell ¦ bun repl`,
  "execute inside; write inside .; connect outside repo.packagist.org; connect outside api.github.com; !shell.written_program": examples`
    composer require "monolog/monolog:~3.0"
  `,
  "elevate outside; !shell.machine_setup": examples`apt-get install -y curl ¦ pacman -Syu ¦ brew install x ¦ snap install x ¦ dpkg --purge x`,
  "execute not_known; elevate outside; !shell.runs_command; !shell.machine_setup": examples`apt-get -o X=y update`,
  "elevate outside; execute inside a.deb; !shell.machine_setup; !shell.written_program": examples`dpkg -i a.deb`,
  "connect not_known; write inside .": examples`rustup update`,
  "execute inside; write inside .; connect outside registry.npmjs.org; connect not_known; !shell.written_program": examples`npm install user/repo`,
  "execute inside; read inside . recursive; !shell.written_program": examples`pnpm exec eslint .`,
  "connect outside registry.npmjs.org": examples`npm whoami ¦ npm login ¦ corepack enable`,
  "execute not_known; read names inside .; !shell.runs_command": examples`npm explore x -- ls`,
  "write inside .": examples`pip uninstall x ¦ poetry remove x ¦ conda remove x ¦ cargo clean ¦ gem uninstall x ¦ bundle clean`,
  "write outside ../x; write inside .; connect outside pypi.org; connect outside files.pythonhosted.org": examples`pip download -d ../x y`,
  "write outside ../x; execute inside; write inside .; connect outside pypi.org; connect outside files.pythonhosted.org; !shell.written_program": examples`
    pip install --target ../x y
  `,
  "write inside .venv": examples`uv venv .venv`,
  "execute inside; connect outside pypi.org; connect outside files.pythonhosted.org; write inside .; !shell.written_program": examples`pipx run black .`,
  "delete outside irreversible; !shell.delete_service_data": examples`cargo yank x`,
  "connect outside crates.io": examples`cargo login`,
  "execute inside; execute not_known; !shell.written_program; !shell.runs_command": examples`go generate ./...`,
  "send outside api.nuget.org irreversible": examples`nuget push a.nupkg`,
  "connect outside api.nuget.org; write inside .": examples`nuget install x`,
  "execute inside; execute not_known; !shell.written_program; !shell.not_followed; !shell.hidden_command": examples`npx $x`,
  "execute not_known; !shell.inline_program": examples`bun -e x`,
  "read inside a.ts; execute inside; execute not_known; !shell.written_program": examples`bun - < a.ts`,
  "execute inside; execute outside ../x.ts; !shell.written_program": examples`bun run ../x.ts`,
  "execute inside; write inside .; connect outside pypi.org; connect outside files.pythonhosted.org; read outside ../y recursive; !shell.written_program": examples`
    pip install --pre x ../y
  `,
  "execute inside; write inside .; connect outside registry.npmjs.org; read outside ../x recursive; !shell.written_program": examples`npm i --save ../x`,
});

it.each(table)("what package managers do: %s, by `%s`", (effects, command) => expect(effectLines(command)).toBe(effects));
