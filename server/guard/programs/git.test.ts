import { expect, it, test } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";
import { examples, examplesByName } from "@/server/testing/guard/examples";
import { policyOfRules, shellCall } from "@/server/testing/guard/guarded-calls";
import { decide } from "../decide";

/** Commands, their effects, and the detectors of their notes. */
const commands = examplesByName({
  "": examples`git ¦ git worktree remove`,
  "read names inside . recursive": examples`
    git status ¦ git branch -a ¦ git clean -n ¦ git remote -v ¦ git remote get-url origin ¦ git worktree list ¦ git submodule ¦ git reflog
  `,
  "read inside . recursive": examples`git diff HEAD~1 -- src ¦ git diff --no-index ¦ git stash list ¦ git -c color.ui=false log`,
  "read inside . recursive; read inside a recursive; read inside b recursive": examples`git diff --no-index a b`,
  "read inside . recursive; read outside ../a recursive; read outside ../b recursive": examples`git diff ../a ../b`,
  "write inside .; execute inside; !shell.written_program": examples`
    git commit -am 'fix: something' ¦ git bisect ¦ git checkout -b feature ¦ git checkout main ¦ git switch main ¦ git worktree add
    git bisect start ¦ git checkout -b x origin/x ¦ hg commit
  `,
  "read inside message; write inside .; execute inside; !shell.written_program": examples`git commit -s -F message`,
  "execute inside; connect not_known; send not_known; !shell.written_program": examples`git push`,
  "execute inside; connect outside example.com; send outside example.com; !shell.written_program": examples`
    git push https://example.com/a.git main ¦ git push --repo=https://example.com/a.git
  `,
  "execute inside; connect not_known; send not_known; delete outside irreversible; !shell.written_program; !shell.git_force_push": examples`git push origin +main`,
  "execute inside; execute not_known; connect not_known; send not_known; delete outside irreversible; !shell.written_program; !shell.not_followed; !shell.git_force_push": examples`
    git push origin $x
  `,
  "execute inside; execute not_known; connect outside ext; send outside ext; !shell.written_program; !shell.git_escape": examples`git push ext::sh main`,
  "connect not_known; write inside .; execute inside; !shell.written_program": examples`git pull --rebase`,
  "connect outside github.com; write inside .": examples`git fetch git@github.com:a/b.git`,
  "read outside ../other; write inside .": examples`git fetch ../other`,
  "delete inside x recursive": examples`git worktree remove x`,
  "write inside .; execute inside; delete inside irreversible; !shell.written_program; !shell.git_discard": examples`
    git checkout -- a ¦ git checkout . ¦ git checkout HEAD a ¦ git submodule deinit x
  `,
  "write inside .": examples`
    git branch x ¦ git stash ¦ git stash pop ¦ git reset HEAD~1 ¦ git worktree prune ¦ git rm --cached a ¦ git restore --staged a
    git tag -d x ¦ git gc ¦ git gc --auto ¦ git read-tree HEAD ¦ git checkout-index -a
  `,
  "read names inside . recursive; write inside .git/config": examples`git branch -u origin/x`,
  "delete inside irreversible; !shell.git_discard": examples`git stash drop ¦ git reflog expire ¦ git prune`,
  "execute not_known": examples`git stash foo ¦ git worktree foo ¦ git submodule foo ¦ git foo`,
  "read names outside /srv; read names outside /srv recursive": examples`git -C /srv status`,
  "execute not_known; !shell.git_escape": examples`git -c alias.x='!sh' x`,
  "execute not_known; read inside . recursive; !shell.git_escape": examples`git -c "$x" log`,
  "delete inside a; write inside .; execute inside; !shell.delete; !shell.written_program": examples`git rebase -x 'rm a' main`,
  "delete inside . recursive; delete inside irreversible; !shell.git_discard": examples`git clean -fd`,
  "read names inside .git/config": examples`git config user.name ¦ git config --list ¦ git config get a`,
  "write inside .git/config": examples`git config user.name Bob ¦ git config --unset x.y ¦ git config unset x.y ¦ git remote add o https://x.com`,
  "write inside .git/config; execute not_known; !shell.git_escape": examples`
    git config user.name "$x" ¦ git config core.hooksPath x ¦ git config core.pager=cat x ¦ git config set alias.x y ¦ git config -e
  `,
  "write inside .gitconfig": examples`git config --global user.email x`,
  "write outside /etc/gitconfig; execute not_known; !shell.git_escape": examples`git config --system a.b c`,
  "write inside other; execute not_known; !shell.git_escape": examples`git config -f other a.b c`,
  "connect outside github.com; write inside b": examples`git clone https://github.com/a/b.git`,
  "connect outside x.com; write inside dir": examples`git clone git@x.com:a/b dir`,
  "read outside /; write inside .": examples`git clone /`,
  "connect not_known; write inside .": examples`git clone`,
  "read outside ../b; write inside b; execute not_known; !shell.git_escape": examples`git clone -c core.fsmonitor=x ../b`,
  "connect not_known": examples`git remote update`,
  "write inside .; execute inside; write outside ../x; !shell.written_program": examples`git worktree add ../x`,
  "delete inside x recursive; delete inside irreversible; !shell.git_discard": examples`git worktree remove -f x`,
  "delete inside x recursive; write inside y": examples`git worktree move x y`,
  "write inside .; execute inside; connect not_known; !shell.written_program": examples`git submodule update --init ¦ git lfs pull`,
  "delete inside x; !shell.git_escape; !shell.delete": examples`git submodule foreach 'rm x'`,
  "!shell.git_escape": examples`git submodule foreach ¦ git bisect run`,
  "read inside a; !shell.git_escape": examples`git bisect run cat a`,
  "execute inside; !shell.git_escape; !shell.written_program": examples`git bisect run make test`,
  "write inside .; delete inside a": examples`git rm a`,
  "write inside .; delete inside irreversible; !shell.git_discard": examples`git restore a ¦ git restore -SW a`,
  "execute not_known; !shell.not_followed": examples`git $x`,
  "delete inside irreversible; write inside .; !shell.git_discard": examples`git gc --prune=now ¦ git read-tree -u --reset HEAD ¦ git checkout-index -fa`,
  "delete inside irreversible; write inside .; execute inside; !shell.git_discard; !shell.written_program": examples`git checkout -B main HEAD~3`,
  "connect outside example.com; write inside a": examples`git clone https://example.com/a.git/`,
  "read names outside /srv; read outside /srv recursive": examples`hg --cwd /srv status`,
  "connect not_known; read inside . recursive": examples`svn status`,
});

it.each(commands)(
  "git reads, changes and destroys what its subcommand says, and connects to its remote: %s, by `%s`",
  (effects, command) => {
    expect(effectLines(command)).toBe(effects);
  },
);

test.each<[string, string]>([
  ["git init && git config user.name A && git config user.email a@b.c && git add . && git commit -m x", "allow"],
  ["git config user.name A", "allow"],
  ["git config --global init.defaultBranch main", "allow"],
  ["git config commit.gpgsign false", "allow"],
  ["git config alias.lg 'log --oneline'", "allow"],
  ["git remote add origin https://github.com/a/b.git", "allow"],
  ["git config core.hooksPath x", "require_approval"],
  ["git config core.fsmonitor x", "require_approval"],
  ["git config core.sshCommand x", "require_approval"],
  ["git config alias.st '!sh'", "require_approval"],
  ["git config credential.helper x", "require_approval"],
  ["git config diff.x.textconv x", "require_approval"],
  ["git config merge.x.driver x", "require_approval"],
  ["git config url.x.insteadOf y", "require_approval"],
  ["git config include.path x", "require_approval"],
  ["git remote set-url origin ext::sh", "require_approval"],
  ["git config user.name x; npm test", "require_approval"],
])("in the sandbox, %s: %s, because only harmless settings of git pass", (command, verdict) => {
  const call = shellCall(command);
  expect(decide(policyOfRules([]), { ...call, context: { ...call.context, sandboxed: true, folder: "/data/a" } }).verdict).toBe(verdict);
});
