import { expect, test } from "vitest";
import { isAutoExecuted } from "./auto-executed-paths";

const words = (table: string) => table.split(/\s+/).filter((path) => path !== "");

test.each(
  words(`
  .git/hooks/pre-commit a/.git/hooks/post-checkout .git/config .git/config.worktree .git/worktrees/x/config.worktree .git/modules/x/config
  .git/modules/x/hooks/pre-push .git .git/commondir .husky/pre-commit .husky/_/husky.sh .githooks/pre-push .gitconfig ~/.gitconfig .config/git/config
  .envrc sub/.envrc .bashrc ~/.bashrc .profile .bash_profile .zshrc .zshenv .inputrc .config/fish/config.fish .config/fish/conf.d/x.fish .mise.toml
  .vimrc .vim/plugin/x.vim .config/nvim/init.lua .vscode/tasks.json .vscode/launch.json .vscode/settings.json app.code-workspace
  .idea/workspace.xml .idea/runConfigurations/x.xml .devcontainer/devcontainer.json .devcontainer/web/devcontainer.json .devcontainer.json
  .claude/settings.json .claude/settings.local.json .claude/hooks/x.sh .mcp.json .github/hooks/handrail.json .cursor/mcp.json .codex/config.toml .gemini/settings.json
  .npmrc .yarnrc .yarnrc.yml .yarn/releases/yarn-4.cjs .pnpmfile.cjs .cargo/config.toml
  .pre-commit-config.yaml lefthook.yml .docker/cli-plugins/docker-compose .config/containers/registries.conf app/.mcp.json
  sitecustomize.py .gdbinit .psqlrc .ssh/config .ssh/rc .ssh/authorized_keys .docker/config.json .kube/config .aws/config
  crontab .config/systemd/user/x.service .config/autostart/x.desktop Library/LaunchAgents/x.plist
  /etc/crontab /etc/cron.d/x /etc/cron.daily/x /var/spool/cron/crontabs/root /etc/profile.d/x.sh /etc/systemd/system/x.service /etc/ld.so.preload
  ./.git/hooks/pre-commit a/../.envrc .GIT/Hooks/Pre-Commit .git//config .git\\hooks\\pre-commit file:///home/me/.bashrc
`),
)("%s runs by itself", (path) => expect(isAutoExecuted(path)).toBe(true));

test.each(
  words(`
  package.json Makefile makefile Justfile Dockerfile docker-compose.yml .github/workflows/ci.yml .gitlab-ci.yml
  .gitignore .gitattributes .gitmodules .git/HEAD .git/index .git/refs/heads/main git/config hooks/pre-commit src/hooks/use-x.ts config
  tasks.json vscode/tasks.json .vscode/notes.md settings.json .claude/notes.md CLAUDE.md AGENTS.md .cursor/rules/x.md
  .env .env.local .editorconfig .prettierrc .eslintrc.js tsconfig.json src/index.ts drafts/chapter-1.md devcontainer/x
  envrc bashrc.md .bashrc.md yarn/releases/x cargo/config.toml /etc/hosts /etc/os-release a/etc/crontabs . .. /
`),
)("%s does not", (path) => expect(isAutoExecuted(path)).toBe(false));
