import { argumentsOf, type CommandCheck, type Family, hasLong, nothing, type Seen, seen } from "./danger";
import { quietEscape } from "./escapes";
import { type OptionList, optionAmong, optionList } from "./option-list";

/** Settings that only change how things look or who is named. Any other may name a program that git starts. */
const harmlessSetting =
  /^(color\.|user\.|author\.|committer\.|advice\.|column\.|log\.|status\.|format\.pretty|core\.(quotepath|pager=(cat|less|)$|abbrev|autocrlf|eol|ignorecase|filemode|longpaths|bare|preloadindex|untrackedcache|compression|precomposeunicode)|pager\.\w+=(false|0|no|)$|diff\.(renames|renamelimit|algorithm|context|noprefix|mnemonicprefix|colormoved)|init\.defaultbranch|safe\.directory|commit\.gpgsign|tag\.gpgsign|push\.default|pull\.(rebase|ff)|merge\.(ff|conflictstyle)|rebase\.auto|fetch\.(prune|parallel)|http\.(version|lowspeed|postbuffer)|gc\.|pack\.|index\.|protocol\.version|rerere\.enabled|submodule\.recurse|grep\.|blame\.|i18n\.)/i;

const subcommandOptions: Record<string, OptionList> = Object.fromEntries(
  Object.entries({
    clone: "-u --upload-pack -c --config --template",
    fetch: "--upload-pack",
    pull: "--upload-pack -s --strategy",
    push: "--receive-pack --exec",
    "ls-remote": "--upload-pack --exec",
    archive: "--exec --remote",
    "fetch-pack": "--upload-pack --exec",
    "send-pack": "--receive-pack --exec",
    rebase: "-x --exec",
    difftool: "-x --extcmd -t --tool",
    mergetool: "-t --tool",
    grep: "-O --open-files-in-pager",
    bisect: "run",
    submodule: "foreach",
    "filter-branch": "@",
    init: "--template",
    "send-email": "@",
    instaweb: "@",
    help: "-w --web -m --man -i",
    hook: "run",
    daemon: "@",
    shell: "@",
    maintenance: "start register",
    "interpret-trailers": "@",
    "credential-store": "@",
    "remote-ext": "@",
    "remote-fd": "@",
    diff: "--ext-diff",
    log: "--ext-diff",
    show: "--ext-diff",
    "for-each-repo": "@",
    "web--browse": "@",
    "upload-pack": "@",
    "receive-pack": "@",
    p4: "@",
    svn: "@",
  }).map(([name, text]) => [name, optionList(text)]),
);

const writesFile = optionList("-o --output --output-directory");
const globalValued = /^(-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env|--super-prefix|--attr-source)$/;

const ofGit: CommandCheck = (command) => {
  const found: Seen[] = [];
  const args = argumentsOf(command);
  const note = (why: string) => found.push(...seen("shell.git_escape", why, command));
  let at = 0;
  for (; at < args.length && (args[at] ?? "").startsWith("-"); at += 1) {
    const option = args[at] ?? "";
    const value = args[at + 1] ?? "";
    if (option === "-c" && !harmlessSetting.test(value)) note(`gives git the setting ${value}, which can name a program`);
    if (/^-c./.test(option) && !harmlessSetting.test(option.slice(2)))
      note(`gives git the setting ${option.slice(2)}, which can name a program`);
    if (/^--(config-env|exec-path=)/.test(option)) note(`changes which programs git starts (${option})`);
    if (/^(-p|--paginate)$/.test(option)) found.push(...seen(quietEscape, "starts the pager that is set up", command));
    if (globalValued.test(option)) at += 1;
  }
  const [subcommand = "", ...rest] = args.slice(at);
  const list = Object.hasOwn(subcommandOptions, subcommand) ? subcommandOptions[subcommand] : undefined;
  const option = list ? optionAmong(rest, list) : null;
  if (option !== null) note(`starts another program: that is what ${[subcommand, option].filter(Boolean).join(" ")} of git is for`);
  if (args.some((word) => /^(ext|fd)::|^-?-?upload-pack=|^--?[a-z-]*=?ext::/.test(word)))
    note("starts another program as a transport (ext::)");
  if (subcommand === "config") found.push(...changedSetting(rest, command));
  if (/^(diff|log|show|archive|format-patch|bundle|diff-tree|shortlog|grep)$/.test(subcommand) && optionAmong(rest, writesFile) !== null) {
    found.push(...seen(quietEscape, "writes to a file (--output)", command));
  }
  return [...found, ...lost(subcommand, rest, command)];
};

function changedSetting(rest: readonly string[], command: Parameters<CommandCheck>[0]): readonly Seen[] {
  const words = rest.filter((word) => !word.startsWith("-") && !/^(set|add)$/.test(word));
  const [key = "", value] = words;
  if (rest.includes("-e") || hasLong(rest, "--edit") || key === "edit") return seen(quietEscape, "opens an editor", command);
  if (value === undefined || key === "get" || rest.some((word) => /^--(get|list|unset)/.test(word))) return nothing;
  return harmlessSetting.test(`${key}=${value}`)
    ? nothing
    : seen("shell.git_escape", `changes git's setting ${key}, which can name a program`, command);
}

/** Work that is gone afterwards, here or on the server. */
function lost(subcommand: string, rest: readonly string[], command: Parameters<CommandCheck>[0]): readonly Seen[] {
  const has = (pattern: RegExp, ...long: readonly string[]) => rest.some((word) => pattern.test(word)) || hasLong(rest, ...long);
  switch (subcommand) {
    case "push":
      return has(/^(-[a-zA-Z]*f[a-zA-Z]*|--force.*|\+.+)$/, "--force", "--mirror", "--prune") ||
        has(/^(-[a-zA-Z]*d[a-zA-Z]*|:.+)$/, "--delete")
        ? seen("shell.git_force_push", "overwrites or removes what others have on the server", command)
        : nothing;
    case "reset":
      return hasLong(rest, "--hard", "--merge", "--keep")
        ? seen("shell.git_discard", "throws away changes that were not committed", command)
        : nothing;
    case "clean":
      return has(/^-[a-zA-Z]*f/, "--force") && !has(/^(-[a-df-zA-Z]*n|--dry-run$)/)
        ? seen("shell.git_discard", "deletes files that git does not know", command)
        : nothing;
    case "branch":
      return has(/^-[a-zA-Z]*D/) || (has(/^-[a-zA-Z]*d/, "--delete") && has(/^-[a-zA-Z]*f/, "--force"))
        ? seen("shell.git_discard", "deletes a branch that was not merged", command)
        : nothing;
    case "checkout":
    case "switch":
      return has(/^-[dlmpqt]*f|^(--|\.)$/, "--force", "--discard-changes")
        ? seen("shell.git_discard", "throws away changes that were not committed", command)
        : nothing;
    case "restore":
      return has(/^--staged$|^-S$/) && !has(/^-\w*W/, "--worktree")
        ? nothing
        : seen("shell.git_discard", "throws away changes that were not committed", command);
    case "stash":
      return has(/^(drop|clear)$/) ? seen("shell.git_discard", "throws away stashed changes", command) : nothing;
    case "reflog":
      return has(/^(expire|delete)$/) ? seen("shell.git_discard", "removes the way back to lost commits", command) : nothing;
    case "filter-branch":
    case "filter-repo":
      return seen("shell.git_discard", "rewrites every commit", command);
    case "update-ref":
      return has(/^-d$/, "--stdin") ? seen("shell.git_discard", "removes a branch or tag", command) : nothing;
    case "worktree":
      return has(/^remove$/) && has(/^-[a-zA-Z]*f/, "--force")
        ? seen("shell.git_discard", "removes a folder with its changes", command)
        : nothing;
    default:
      return nothing;
  }
}

const asks = { verdict: "require_approval" } as const;

/** Git starts programs that its settings, options and addresses name, and some of its commands lose work. */
export const git: Family = {
  dangers: [
    {
      ...asks,
      id: "shell.git_escape",
      title: "git that starts another program",
      severity: "high",
      escapes: true,
      explanation: "Settings given with -c, --upload-pack, --exec, ext:: addresses, bisect run and the like make git start any program.",
      fix: "Use git without these options; ask for a setting to be changed.",
    },
    {
      ...asks,
      id: "shell.git_force_push",
      title: "A push that overwrites or deletes",
      severity: "high",
      escapes: false,
      explanation: "A forced push replaces what others have on the server, and a deleting one removes it. Neither can be undone there.",
      fix: "Push without force to a new branch, or let a person do it.",
    },
    {
      ...asks,
      id: "shell.git_discard",
      title: "git that throws work away",
      severity: "high",
      escapes: false,
      explanation: "reset --hard, clean -f, branch -D, checkout -- and the like remove changes that exist nowhere else.",
      fix: "Commit or stash first, and look at what would be lost.",
    },
  ],
  ofCommand: new Map([["git", ofGit]]),
};
