import { expect, test } from "vitest";
import { splitGitSettings } from "./git-settings";

const fresh = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
[remote "origin"]
\turl = https://github.com/o/r.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
\tmerge = refs/heads/main
[user]
\tname = Ann
`;

test("the settings of a new repository and of git-lfs start no program", () => {
  const lfs = `[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n\tprocess = git-lfs filter-process\n\trequired = true\n`;
  for (const text of [fresh, lfs, "[alias]\n\tst = status -sb\n[safe]\n\tdirectory = /x\n[core]\n\texcludesFile = ~/.ignore\n"])
    expect(splitGitSettings(text)).toEqual({ kept: text, running: [] });
});

test.each([
  ["[core]\n\thooksPath = .husky", "core.hookspath"],
  ["[core]\n\tfsmonitor = ./x", "core.fsmonitor"],
  ["[core] sshCommand = ./x", "core.sshcommand"],
  ["[core]\n\tpager = ./x", "core.pager"],
  ["[core]\n\teditor = ./x", "core.editor"],
  ["[alias]\n\tst = !./x", "alias.st"],
  ["[alias]\n\tst = -c core.pager=./x log", "alias.st"],
  ['[filter "x"]\n\tclean = ./x', "filter.x.clean"],
  ['[filter "lfs"]\n\tclean = ./x', "filter.lfs.clean"],
  ['[diff "x"]\n\ttextconv = ./x', "diff.x.textconv"],
  ["[diff]\n\texternal = ./x", "diff.external"],
  ["[init]\n\ttemplateDir = ./x", "init.templatedir"],
  ['[lfs "customtransfer.x"]\n\tpath = ./x', "lfs.customtransfer.x.path"],
  ['[submodule "lib"]\n\tupdate = !./x', "submodule.lib.update"],
  ['[merge "x"]\n\tdriver = ./x', "merge.x.driver"],
  ["[credential]\n\thelper = !./x", "credential.helper"],
  ["[include]\n\tpath = evil", "include.path"],
  ['[includeIf "gitdir:/"]\n\tpath = evil', "includeif.gitdir:/.path"],
  ['[remote "o"]\n\tuploadpack = ./x', "remote.o.uploadpack"],
  ['[submodule "s"]\n\tupdate = !./x', "submodule.s.update"],
  ["[gpg]\n\tprogram = ./x", "gpg.program"],
  ["[sequence]\n\teditor = ./x", "sequence.editor"],
  ["[protocol]\n\tallow = always", "protocol.allow"],
  ["[core]\n\tpager = a \\\n b", "core.pager"],
])("%j may run %s", (text, key) => {
  expect(splitGitSettings(`${fresh}${text}\n`)).toMatchObject({ running: [key], kept: expect.stringContaining("name = Ann") });
  expect(splitGitSettings(splitGitSettings(text).kept).running).toEqual([]);
});

test("settings of submodules and of grep that start nothing stay", () => {
  const text = '[submodule "lib"]\n\turl = https://example.com/lib.git\n[grep]\n\tlineNumber = true';
  expect(splitGitSettings(text)).toEqual({ kept: text, running: [] });
});
