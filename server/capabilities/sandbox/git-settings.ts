/**
 * Settings of git that start no program and load no other settings. Every other key counts as one that runs, because git
 * gets new ones with each version.
 */
const harmless = [
  /^(?:user|author|committer|init|color|column|advice|push|pull|fetch|rebase|log|status|tag|gc|pack|index|feature|maintenance|lfs|receive|transfer|help|blame|stash|rerere|apply|safe|extensions|checkout|grep(?!.*command)|versionsort|worktree|protocol\.version|submodule(?!.*\.update$))(?:\.|$)/,
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|sparsecheckout|sparsecheckoutcone|excludesfile|quotepath|longpaths|compression|bigfilethreshold|abbrev|fscache|preloadindex|untrackedcache|multipackindex|splitindex|commentchar|whitespace|checkstat|trustctime)$/,
  /^(?:remote|branch)\..*\.(?:url|pushurl|fetch|push|tagopt|prune|mirror|merge|remote|rebase|pushremote|description)$/,
  /^branch\.(?:autosetupmerge|autosetuprebase|sort)$/,
  /^remote\.pushdefault$/,
  /^commit\.(?:gpgsign|verbose|cleanup|status)$/,
  /^merge\.(?:conflictstyle|ff|log|renames|renamelimit|stat|autostash)$/,
  /^diff\.(?:algorithm|renames|renamelimit|mnemonicprefix|noprefix|colormoved|colormovedws|submodule|wserrorhighlight|context|statgraphwidth)$/,
  /^http\.(?:postbuffer|version|lowspeedlimit|lowspeedtime|maxrequests)$/,
  /^url\..*\.(?:insteadof|pushinsteadof)$/,
];
/** Keys of the harmless sections that name a program after all. */
const running =
  /^(?:color\.pager|help\.browser|tag\.gpgsign|init\.templatedir|lfs\.(?:extension|customtransfer)\..*)$|(?:command|program|helper|editor|pager|hook|hookspath|exec|receivepack|uploadpack)$/;

/** The settings of git-lfs are the same in each repository, and its program is none of the folder. */
const ofLfs: Readonly<Record<string, RegExp>> = {
  "filter.lfs.clean": /^git-lfs clean -- %f$/,
  "filter.lfs.smudge": /^git-lfs smudge (?:--skip )?-- %f$/,
  "filter.lfs.process": /^git-lfs filter-process(?: --skip)?$/,
  "filter.lfs.required": /^(?:true|false)$/,
};

function isHarmless(key: string, value: string): boolean {
  if (ofLfs[key]) return ofLfs[key].test(value);
  // Git runs an alias with `!` as a shell command, and an option of an alias can set any other key.
  if (key.startsWith("alias.")) return !/!|(?:^|\s)(?:-c|--config|--exec)/.test(value);
  if (key === "core.worktree") return !value.startsWith("/");
  return !running.test(key) && harmless.some((pattern) => pattern.test(key));
}

/**
 * Splits the text of a git configuration into the settings that start no program and those that may.
 * @returns `kept`: the text without the settings that may run; `running`: their keys
 */
export function splitGitSettings(text: string): { kept: string; running: string[] } {
  const kept: string[] = [];
  const found: string[] = [];
  let section = "";
  const lines = text.replaceAll("\\\n", " ").split(/\r?\n/);
  for (const line of lines) {
    const [, name, quoted, rest = ""] = /^\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line) ?? [];
    if (name !== undefined) section = quoted === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${quoted}`;
    const setting = name === undefined ? line : rest;
    const [, key, value = ""] = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*?))?\s*$/.exec(setting) ?? [];
    const isEmpty = /^\s*(?:[#;].*)?$/.test(setting);
    const full = `${section}.${key?.toLowerCase() ?? ""}`;
    if (isEmpty || (key !== undefined && section !== "" && isHarmless(full, value.replace(/^"(.*)"$/, "$1")))) kept.push(line);
    else {
      found.push(key === undefined ? setting.trim().slice(0, 100) : full);
      if (name !== undefined) kept.push(line.slice(0, line.length - rest.length));
    }
  }
  return { kept: kept.join("\n"), running: found };
}
