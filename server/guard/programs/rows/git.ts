import { connects, givenOption, type Program, type ProgramSpec, program, quietlyWrites, runsFolderCode, writesUnknown } from "../program";
import {
  byOption,
  byRemotes,
  bySetting,
  byVerb,
  checksOut,
  cleans,
  configures,
  discarding,
  discards,
  folder,
  forcesRef,
  hooked,
  makesClone,
  overwrites,
  reaches,
  remotes,
  restores,
  runsRest,
  setsForOnce,
  stashes,
  submodules,
  worktrees,
  writesConfig,
} from "../special/git-commands";
import { forgePrograms } from "./forges";

const messageValued = {
  "-m --message --author --date -C -c --reuse-message --reedit-message --fixup --squash --trailer --cleanup --strategy-option -X": "text",
  "-F --file -t --template --pathspec-from-file": "reads",
} as const;
const lookValued = {
  "-n --max-count --skip --since --until --after --before --author --committer --grep -S -G -L --date --diff-filter --inter-hunk-context --word-diff-regex --src-prefix --dst-prefix --line-prefix":
    "text",
  "-o --output": quietlyWrites,
  "--contents -O": "reads",
} as const;
const remoteValued = {
  "--upload-pack --receive-pack --exec": byOption,
  "--depth --deepen --shallow-since --shallow-exclude -j --jobs --filter --refmap -o --push-option --server-option --negotiation-tip --repo":
    "text",
} as const;

const lfs: ProgramSpec = {
  special: byVerb(
    { "ls-files status env version": folder("lists") },
    hooked((act) => byRemotes(act)),
  ),
};

const subcommands: Readonly<Record<string, ProgramSpec>> = {
  "": {},
  "diff log show blame annotate shortlog cat-file whatchanged range-diff diff-tree diff-index diff-files fast-export": {
    // `git diff --no-index a b` compares any two files.
    special: folder("reads", ({ parsed, role }) => {
      for (const path of givenOption(parsed, "--no-index") || parsed.operands.some(({ value }) => /^[/~]|^\.\./.test(value))
        ? parsed.operands
        : [])
        role("reads", path, true);
    }),
    valued: lookValued,
    flags: { "--ext-diff --textconv --filters": [byOption] },
  },
  grep: {
    special: folder("reads"),
    attached: "-O",
    valued: { "-e -A -B -C -m --max-depth --threads": "text", "-f": "reads" },
    flags: { "-O --open-files-in-pager": [byOption] },
  },
  "status ls-files ls-tree rev-parse describe rev-list name-rev merge-base check-ignore check-attr count-objects for-each-ref show-ref show-branch cherry fsck version var verify-pack":
    { special: folder("lists"), valued: { "-X --exclude-from": "reads", "-x --exclude --format --sort --match": "text" } },
  help: { flags: { "-w --web -m --man -i --info": [byOption] } },
  "format-patch archive bundle": {
    special: folder("reads", folder("writes")),
    operands: ["text", "writes"],
    valued: {
      "-o --output --output-directory": "writes",
      "--exec": byOption,
      "--remote": connects,
      "--format --prefix --add-file": "text",
    },
  },
  "branch tag": {
    special: (act) => {
      folder(act.parsed.operands.length > 0 ? "writes" : "lists")(act);
      if (givenOption(act.parsed, "-u --set-upstream-to --unset-upstream --edit-description")) writesConfig(act);
    },
    valued: { "-u --set-upstream-to --sort --format --contains --no-contains --points-at -m --message": "text", "-F --file": "reads" },
    flags: { "-D -M -f --force": [discards] },
  },
  gc: { special: folder("writes"), flags: { "--prune": [discards] }, attached: "--prune" },
  "read-tree": { special: folder("writes"), flags: { "--reset": [discards] }, valued: { "--prefix": "changes" } },
  "checkout-index": { special: folder("writes"), flags: { "-f --force": [discards] }, valued: { "--prefix": "changes" } },
  // Moved files stay in the repository, so they are not counted as deleted.
  mv: { special: folder("writes"), operands: ["changes"], lastOperand: "becomes" },
  "add stage sparse-checkout notes replace symbolic-ref update-index pack-refs repack write-tree commit-tree mktree hash-object": {
    special: folder("writes"),
    valued: { "--pathspec-from-file": "reads", "-m": "text", "-F": "reads" },
  },
  rm: {
    special: folder("writes", ({ parsed, role }) => {
      for (const path of givenOption(parsed, "--cached") ? [] : parsed.operands) role("deletes", path);
    }),
    flags: { "-f --force": [discards] },
  },
  "commit cherry-pick revert am": { special: hooked(), valued: messageValued },
  "merge rebase": { special: hooked(), valued: { ...messageValued, "-s --strategy": "text", "-x --exec": "script" } },
  apply: {
    special: folder("writes"),
    operands: ["reads"],
    flags: { "--unsafe-paths": [writesUnknown] },
    valued: { "-p -C --directory --exclude --include": "text" },
  },
  checkout: {
    special: hooked(checksOut),
    valued: { "-b -B --orphan --conflict": "text", "--pathspec-from-file": "reads" },
    flags: { "-f --force -B": [discards], "--track --theirs --ours": [] },
  },
  switch: {
    special: hooked(),
    valued: { "-c --create --orphan --conflict": "text" },
    flags: { "-f --force --discard-changes -C --force-create": [discards] },
  },
  restore: { special: folder("writes", restores), valued: { "-s --source --conflict": "text", "--pathspec-from-file": "reads" } },
  reset: { special: folder("writes"), valued: { "--pathspec-from-file": "reads" }, flags: { "--hard --merge --keep": [discards] } },
  clean: { special: cleans, valued: { "-e --exclude": "text" } },
  stash: { special: stashes, valued: { "-m --message": "text", "--pathspec-from-file": "reads" } },
  reflog: { special: byVerb({ "expire delete": discarding }, folder("lists")), valued: lookValued },
  "prune filter-repo": { special: discarding },
  "update-ref": { special: folder("writes"), flags: { "-d --stdin": [discards] }, valued: { "-m": "text" } },
  remote: { special: remotes, valued: { "-t -m": "text" } },
  worktree: { special: worktrees, valued: { "-b -B --reason": "text" } },
  submodule: { special: submodules, optionsFirst: true },
  config: { special: configures, valued: { "-f --file --blob": "text", "--type --default --comment --value": "text" } },
  init: {
    special: folder("writes"),
    operands: ["writes"],
    valued: { "--template": byOption, "--separate-git-dir": "writes", "-b --initial-branch --object-format": "text" },
  },
  clone: {
    special: reaches("connect", makesClone),
    valued: {
      ...remoteValued,
      "-u --template": byOption,
      "-c --config -b --branch -o --origin --bundle-uri": "text",
      "--reference --reference-if-able": "reads",
      "--separate-git-dir": "writes",
    },
  },
  "fetch ls-remote fetch-pack": { special: reaches("connect", folder("writes")), valued: remoteValued },
  pull: { special: reaches("connect", hooked()), valued: { ...remoteValued, "-s --strategy": byOption, "-X --strategy-option": "text" } },
  "push send-pack": {
    special: reaches("send", forcesRef),
    does: [runsFolderCode],
    valued: remoteValued,
    flags: { "-f --force --force-with-lease --mirror --prune -d --delete": [overwrites], "--force-if-includes --progress": [] },
  },
  bisect: { special: byVerb({ run: runsRest }, hooked()), optionsFirst: true },
  "difftool mergetool": { does: [byOption], valued: { "-x --extcmd": "script", "-t --tool": "text" } },
  "filter-branch": { does: [byOption, discards] },
  lfs,
  "send-email instaweb daemon shell hook credential credential-store credential-cache remote-ext remote-fd upload-pack receive-pack p4 svn for-each-repo web--browse interpret-trailers fast-import maintenance gui citool cvsserver":
    { does: [byOption] },
};

/** Version control programs, and clients of the services that host repositories. */
export const gitPrograms: readonly Program[] = [
  program("git", {
    folderOption: "-C",
    special: ({ parsed, does }) => setsForOnce(parsed.options, does),
    valued: { "-C -c --namespace --super-prefix --attr-source": "text", "--git-dir --work-tree --config-env": bySetting },
    flags: { "--exec-path": [byOption] },
    actsByOptions: true,
    subcommands,
  }),
  program("git-lfs", lfs),
  ...forgePrograms,
  program("svn", {
    subcommands: {
      "status st info list ls log diff cat blame": {
        special: folder("reads"),
        does: [connects],
        valued: { "--diff-cmd --config-option --editor-cmd -x --extensions": byOption },
      },
      "add mkdir revert cleanup": { special: folder("writes") },
      "checkout co update up switch export": { special: folder("writes"), does: [connects] },
    },
  }),
  program("hg", {
    subcommands: {
      "status st log diff cat annotate summary branches tags parents identify id": {
        special: folder("reads"),
        valued: { "--config": byOption },
      },
      "add commit ci update up": { special: hooked(), valued: { "-m --message": "text", "--config": byOption } },
    },
    valued: { "--config": byOption, "--cwd -R": "lists" },
    flags: { "--debugger": [byOption] },
    folderOption: "--cwd -R",
  }),
];
