import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findGitSettings, remotesIn } from "./git-remotes";

let home = "";
const git = (...args: string[]) => execFileSync("git", args, { cwd: home, env: { ...process.env, HOME: home } }).toString();
const settings = () => remotesIn(readFileSync(path.join(home, ".git/config"), "utf8"));

beforeEach(() => {
  home = realpathSync(mkdtempSync(path.join(tmpdir(), "git-remotes-")));
  git("init", "-q", "-b", "main");
  git("remote", "add", "origin", "https://example.com/a.git");
});
afterEach(() => rmSync(home, { recursive: true }));

describe("the part of git's settings that says where remotes lead", () => {
  test.each([
    [["config", "user.name", "Ann"]],
    [["config", "branch.main.remote", "origin"]],
    [["config", "branch.main.merge", "refs/heads/main"]],
    [["config", "color.ui", "never"]],
  ])("git %j leaves it as it is", (args) => {
    const before = settings();
    git(...args);
    expect(settings()).toBe(before);
  });

  test.each([
    [["remote", "set-url", "origin", "https://example.org/b.git"]],
    [["remote", "set-url", "--push", "origin", "https://example.org/b.git"]],
    [["remote", "add", "other", "https://example.org/b.git"]],
    [["config", "url.https://example.org/.insteadOf", "https://example.com/"]],
    [["config", "branch.main.remote", "https://example.org/b.git"]],
    [["config", "branch.main.pushRemote", "https://example.org/b.git"]],
    [["config", "remote.pushDefault", "https://example.org/b.git"]],
    [["config", "http.proxy", "http://example.org"]],
  ])("git %j changes it", (args) => {
    const before = settings();
    git(...args);
    expect(settings()).not.toBe(before);
  });

  test("a line that goes on in the next one counts, whatever its section is", () => {
    const odd = '[user]\n\tname = a\\\n[remote "origin"]\n\turl = x\n';
    expect(remotesIn(odd)).toContain("name = a");
    expect(remotesIn('[branch "main"] pushremote = https://example.org\n')).toContain("example.org");
  });
});

test("a linked worktree has the settings of its repository, and the user's count, too", async () => {
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "first");
  git("worktree", "add", "-q", "side");
  const [first, , ...ofUser] = await findGitSettings(path.join(home, "side"), home, false);
  expect(first).toBe(path.join(home, ".git/config"));
  expect(ofUser).toContain(path.join(home, ".gitconfig"));
});

test("a repository above the conversation's folder counts outside of the sandbox only", async () => {
  const folder = path.join(home, "conversation");
  mkdirSync(folder);
  const above = path.join(home, ".git/config");
  expect(await findGitSettings(folder, folder, false)).not.toContain(above);
  expect(await findGitSettings(folder, folder, true)).toContain(above);
});

test("a pipe in place of the file that names git's folder is not read", async () => {
  const folder = path.join(home, "conversation");
  mkdirSync(folder);
  execFileSync("mkfifo", [path.join(folder, ".git")]);
  expect(await findGitSettings(folder, folder, false)).toEqual([path.join(folder, ".gitconfig"), path.join(folder, ".config/git/config")]);
});
