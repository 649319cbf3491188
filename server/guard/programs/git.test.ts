import { expect, it, test } from "vitest";
import { effectLines } from "@/server/testing/effect-lines";
import { policyOfRules, shellCall } from "@/server/testing/guarded-calls";
import { listOf } from "@/server/testing/list-of";
import { decide } from "../decide";

/** Commands, their effects, and the detectors of their notes. */
const commands: readonly (readonly [string, string])[] = [
  ...listOf(`
    git status ¦ git branch -a ¦ git clean -n ¦ git remote -v ¦ git remote get-url origin ¦ git worktree list ¦ git submodule ¦ git reflog
  `).map((given) => [given, "read names inside . recursive"] as const),
  ...listOf(`
    git commit -am 'fix: something' ¦ git bisect ¦ git checkout -b feature ¦ git checkout main ¦ git switch main ¦ git worktree add
    git bisect start ¦ git checkout -b x origin/x ¦ hg commit
  `).map((given) => [given, "write inside .; execute inside; !shell.written_program"] as const),
  ...listOf(`
    git branch x ¦ git stash ¦ git stash pop ¦ git reset HEAD~1 ¦ git worktree prune ¦ git rm --cached a ¦ git restore --staged a
    git tag -d x ¦ git gc ¦ git gc --auto ¦ git read-tree HEAD ¦ git checkout-index -a
  `).map((given) => [given, "write inside ."] as const),
  ["git", ""],
  ["git diff HEAD~1 -- src", "read inside . recursive"],
  ["git diff --no-index a b", "read inside . recursive; read inside a recursive; read inside b recursive"],
  ["git diff ../a ../b", "read inside . recursive; read outside ../a recursive; read outside ../b recursive"],
  ["git commit -s -F message", "read inside message; write inside .; execute inside; !shell.written_program"],
  ["git push", "execute inside; connect not_known; send not_known; !shell.written_program"],
  [
    "git push https://example.com/a.git main",
    "execute inside; connect outside example.com; send outside example.com; !shell.written_program",
  ],
  [
    "git push --repo=https://example.com/a.git",
    "execute inside; connect outside example.com; send outside example.com; !shell.written_program",
  ],
  [
    "git push origin +main",
    "execute inside; connect not_known; send not_known; delete outside irreversible; !shell.written_program; !shell.git_force_push",
  ],
  [
    "git push origin $x",
    "execute inside; execute not_known; connect not_known; send not_known; delete outside irreversible; !shell.written_program; !shell.not_followed; !shell.git_force_push",
  ],
  [
    "git push ext::sh main",
    "execute inside; execute not_known; connect outside ext; send outside ext; !shell.written_program; !shell.git_escape",
  ],
  ["git pull --rebase", "connect not_known; write inside .; execute inside; !shell.written_program"],
  ["git fetch git@github.com:a/b.git", "connect outside github.com; write inside ."],
  ["git fetch ../other", "read outside ../other; write inside ."],
  ["git diff --no-index", "read inside . recursive"],
  ["git worktree remove", ""],
  ["git worktree remove x", "delete inside x recursive"],
  ["git checkout -- a", "write inside .; execute inside; delete inside irreversible; !shell.written_program; !shell.git_discard"],
  ["git checkout .", "write inside .; execute inside; delete inside irreversible; !shell.written_program; !shell.git_discard"],
  ["git checkout HEAD a", "write inside .; execute inside; delete inside irreversible; !shell.written_program; !shell.git_discard"],
  ["git branch -u origin/x", "read names inside . recursive; write inside .git/config"],
  ["git stash drop", "delete inside irreversible; !shell.git_discard"],
  ["git stash foo", "execute not_known"],
  ["git stash list", "read inside . recursive"],
  ["git -C /srv status", "read names outside /srv; read names outside /srv recursive"],
  ["git -c color.ui=false log", "read inside . recursive"],
  ["git -c alias.x='!sh' x", "execute not_known; !shell.git_escape"],
  ['git -c "$x" log', "execute not_known; read inside . recursive; !shell.git_escape"],
  ["git rebase -x 'rm a' main", "delete inside a; write inside .; execute inside; !shell.delete; !shell.written_program"],
  ["git clean -fd", "delete inside . recursive; delete inside irreversible; !shell.git_discard"],
  ["git config user.name", "read names inside .git/config"],
  ["git config --list", "read names inside .git/config"],
  ["git config user.name Bob", "write inside .git/config"],
  ['git config user.name "$x"', "write inside .git/config; execute not_known; !shell.git_escape"],
  ["git config core.hooksPath x", "write inside .git/config; execute not_known; !shell.git_escape"],
  ["git config core.pager=cat x", "write inside .git/config; execute not_known; !shell.git_escape"],
  ["git config --global user.email x", "write inside .gitconfig"],
  ["git config --unset x.y", "write inside .git/config"],
  ["git config unset x.y", "write inside .git/config"],
  ["git config set alias.x y", "write inside .git/config; execute not_known; !shell.git_escape"],
  ["git config -e", "write inside .git/config; execute not_known; !shell.git_escape"],
  ["git config --system a.b c", "write outside /etc/gitconfig; execute not_known; !shell.git_escape"],
  ["git config get a", "read names inside .git/config"],
  ["git config -f other a.b c", "write inside other; execute not_known; !shell.git_escape"],
  ["git clone https://github.com/a/b.git", "connect outside github.com; write inside b"],
  ["git clone git@x.com:a/b dir", "connect outside x.com; write inside dir"],
  ["git clone /", "read outside /; write inside ."],
  ["git clone", "connect not_known; write inside ."],
  ["git clone -c core.fsmonitor=x ../b", "read outside ../b; write inside b; execute not_known; !shell.git_escape"],
  ["git remote add o https://x.com", "write inside .git/config"],
  ["git remote update", "connect not_known"],
  ["git worktree add ../x", "write inside .; execute inside; write outside ../x; !shell.written_program"],
  ["git worktree remove -f x", "delete inside x recursive; delete inside irreversible; !shell.git_discard"],
  ["git worktree move x y", "delete inside x recursive; write inside y"],
  ["git worktree foo", "execute not_known"],
  ["git submodule update --init", "write inside .; execute inside; connect not_known; !shell.written_program"],
  ["git submodule foreach 'rm x'", "delete inside x; !shell.git_escape; !shell.delete"],
  ["git submodule foreach", "!shell.git_escape"],
  ["git submodule foo", "execute not_known"],
  ["git submodule deinit x", "write inside .; execute inside; delete inside irreversible; !shell.written_program; !shell.git_discard"],
  ["git bisect run cat a", "read inside a; !shell.git_escape"],
  ["git bisect run make test", "execute inside; !shell.git_escape; !shell.written_program"],
  ["git bisect run", "!shell.git_escape"],
  ["git rm a", "write inside .; delete inside a"],
  ["git restore a", "write inside .; delete inside irreversible; !shell.git_discard"],
  ["git restore -SW a", "write inside .; delete inside irreversible; !shell.git_discard"],
  ["git reflog expire", "delete inside irreversible; !shell.git_discard"],
  ["git foo", "execute not_known"],
  ["git $x", "execute not_known; !shell.not_followed"],
  ["git lfs pull", "write inside .; execute inside; connect not_known; !shell.written_program"],
  ["git gc --prune=now", "delete inside irreversible; write inside .; !shell.git_discard"],
  ["git read-tree -u --reset HEAD", "delete inside irreversible; write inside .; !shell.git_discard"],
  ["git checkout-index -fa", "delete inside irreversible; write inside .; !shell.git_discard"],
  ["git checkout -B main HEAD~3", "delete inside irreversible; write inside .; execute inside; !shell.git_discard; !shell.written_program"],
  ["git prune", "delete inside irreversible; !shell.git_discard"],
  ["git clone https://example.com/a.git/", "connect outside example.com; write inside a"],
  ["hg --cwd /srv status", "read names outside /srv; read outside /srv recursive"],
  ["svn status", "connect not_known; read inside . recursive"],
];

it.each(commands)("%s: git reads, changes and destroys what its subcommand says, and connects to its remote", (command, effects) => {
  expect(effectLines(command)).toBe(effects);
});

test.each<[string, string]>([
  ...listOf(`
    git init && git config user.name A && git config user.email a@b.c && git add . && git commit -m x ¦ git config user.name A
    git config --global init.defaultBranch main ¦ git config commit.gpgsign false ¦ git config alias.lg 'log --oneline'
    git remote add origin https://github.com/a/b.git
  `).map((given) => [given, "allow"] as const),
  ...listOf(`
    git config core.hooksPath x ¦ git config core.fsmonitor x ¦ git config core.sshCommand x ¦ git config alias.st '!sh'
    git config credential.helper x ¦ git config diff.x.textconv x ¦ git config merge.x.driver x ¦ git config url.x.insteadOf y
    git config include.path x ¦ git remote set-url origin ext::sh ¦ git config user.name x; npm test
  `).map((given) => [given, "require_approval"] as const),
])("in the sandbox, %s: %s, because only harmless settings of git pass", (command, verdict) => {
  const call = shellCall(command);
  expect(decide(policyOfRules([]), { ...call, context: { ...call.context, sandboxed: true, folder: "/data/a" } }).verdict).toBe(verdict);
});
