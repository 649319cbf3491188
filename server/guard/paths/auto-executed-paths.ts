import { compileHolderTable, compilePathTable } from "./path-table";
import { namesOn, plainPath } from "./plain-path";

/**
 * Files that run, or that a tool reads as instructions, as soon as somebody opens a shell or the folder, or uses a tool
 * in it. Files that somebody has to start by name (package.json, Makefile) are not listed.
 */
const rows = [
  // Git runs its hooks and the programs named in its configuration. Files `.git` and `commondir` redirect to other such
  // folders.
  ...row(".git .git/**/hooks/ .git/**/config .git/**/config.worktree .git/**/commondir .husky/ .githooks/"),
  ...row(".gitconfig .config/git/config .config/git/attributes"),
  // Startup files of shells, and files that direnv and mise run in a folder.
  ...row(".profile .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .zshrc .zshenv .zprofile .zlogin .zlogout"),
  ...row(".kshrc .mkshrc .cshrc .tcshrc .login .logout .inputrc .config/fish/config.fish .config/fish/conf.d/ .config/fish/functions/"),
  ...row(".envrc .direnvrc .config/direnv/ mise.toml .mise.toml .config/mise/"),
  // Editors and their tasks.
  ...row(".vimrc .gvimrc .exrc .nvimrc .nvim.lua .vim/ .config/nvim/ .emacs .emacs.d/ .dir-locals.el"),
  ...row(".vscode/tasks.json .vscode/launch.json .vscode/settings.json .vscode/mcp.json .vscode/extensions.json"),
  ...row(".idea/workspace.xml .idea/startup.xml .idea/externaltools.xml .idea/watchertasks.xml .idea/runconfigurations/ .run/"),
  // Git runs these through a hook that is installed once.
  ...row(".pre-commit-config.yaml .pre-commit-config.yml lefthook.yml lefthook.yaml .lefthook.yml .overcommit.yml"),
  ...row(".zed/settings.json .zed/tasks.json .fleet/run.json .devcontainer.json .devcontainer/"),
  // Configuration of agents: their hooks, and the servers that they start.
  ...row(".mcp.json .claude.json .claude/settings.json .claude/settings.local.json .claude/hooks/ .cursor/mcp.json"),
  ...row(".cursor/hooks.json .cursor/hooks/ .codex/config.toml .codex/hooks.json .gemini/settings.json .windsurf/mcp_config.json"),
  ...row(".roo/mcp.json .kiro/settings/mcp.json .kiro/hooks/ .continue/ .amazonq/ opencode.json opencode.jsonc .opencode/ .github/hooks/"),
  ...row(".config/opencode/ .copilot/hooks/ .copilot/config.json .copilot/mcp-config.json .gemini/extensions/ .config/handrail/"),
  // Package managers and compilers that take programs from their configuration.
  ...row(".npmrc .yarnrc .yarnrc.yml .yarnrc.yaml .pnpmfile.cjs .pnpmfile.js .yarn/releases/ .yarn/plugins/"),
  ...row(".cargo/config .cargo/config.toml .bundle/config .mvn/ .bazelrc"),
  // Startup files of interpreters and debuggers.
  ...row("sitecustomize.py usercustomize.py .pythonrc .pythonrc.py .pdbrc .irbrc .pryrc .rprofile .ghci .gdbinit .lldbinit"),
  // Configuration of clients that run programs named in it.
  ...row(".ssh/config .ssh/rc .ssh/environment .ssh/authorized_keys .psqlrc .sqliterc .my.cnf .curlrc .wgetrc .tmux.conf .screenrc"),
  ...row(
    ".docker/config.json .docker/cli-plugins/ .config/containers/ .kube/config .aws/config .gnupg/gpg.conf .gnupg/gpg-agent.conf .mailcap .lessfilter",
  ),
  // Timers, and files that start with a session.
  ...row("crontab .config/systemd/user/ .local/share/systemd/user/ .config/autostart/ launchagents/ launchdaemons/ .xinitrc .xprofile"),
  ...row(".xsession .xsessionrc .pam_environment .config/environment.d/ .config/plasma-workspace/env/"),
];
const places = compilePathTable(rows);
const holders = compileHolderTable(rows);

const endings = /\.code-workspace$/;
/** Folders of the system that are read at boot, at login or by a timer. */
const ofSystem =
  /^\/(?:private\/)?(?:etc\/(?:profile|bash\.bashrc|bashrc|zsh|zshrc|environment|crontab|cron\.|init|rc\.|systemd|ld\.so\.preload|ld\.so\.conf|pam\.d|sudoers|xdg\/autostart|udev)|var\/spool\/cron|(?:usr\/)?lib\/systemd|usr\/local\/lib\/systemd)/;

/** Returns whether a file runs by itself, so that writing the file means running a program later. */
export function isAutoExecuted(path: string): boolean {
  const plain = plainPath(path);
  return ofSystem.test(plain) || endings.test(plain) || places(namesOn(plain));
}

/**
 * Returns whether a folder has files that run by themselves at known places, so that moving, replacing or deleting the
 * folder changes them.
 */
export function holdsAutoExecuted(folder: string): boolean {
  return holders(namesOn(plainPath(folder)));
}

/** Splits a row of the table into its paths. */
function row(words: string): string[] {
  return words.split(" ");
}
