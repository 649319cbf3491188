import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "@/server/testing/tool-context";
import { workspaceShell } from "../shell/workspace-shell";
import { noOpenings, type Openings } from "./openings";
import { approveStartupFiles } from "./startup-files";

const classify = (file: string) => {
  if (/(^|\/)\.env$/.test(file)) return "sensitive";
  if (/(^|\/)\.(envrc|npmrc)$/.test(file)) return "sensitive_and_runs_by_itself";
  if (/(^|\/)(\.vscode\/(tasks|extensions)\.json|\.claude\/settings\.json|\.mcp\.json|\.docker\/cli-plugins)$/.test(file))
    return "runs_by_itself";
  return /(^|\/)(\.git\/(.*\/)?(config(\.worktree)?|hooks|commondir)|\.husky|\.bashrc|\.gitconfig|\.config\/git\/config)$/.test(file)
    ? "runs_by_itself"
    : null;
};

function conversation() {
  const root = path.join(temporaryFolder(), "workspace");
  mkdirSync(root);
  const put = (file: string, content = "") => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  };
  const run = (command: string, openings: Partial<Openings> = {}) =>
    workspaceShell(root, { classify, openings: { ...noOpenings, ...openings } }).run(command, {
      timeoutMs: 20_000,
      signal: new AbortController().signal,
      maxBytesPerStream: 10_000,
    });
  const read = (file: string) => readFileSync(path.join(root, file), "utf8");
  return { root, put, run, read };
}

describe("a startup file that a command creates", () => {
  test.each([".envrc", ".bashrc", ".gitconfig", ".config/git/config"])("is set aside with its content: %s", async (file) => {
    const { root, run, read } = conversation();
    const { heldFiles, exitCode } = await run(`mkdir -p .config/git && echo payload > ${file}`);
    expect(exitCode).toBe(0);
    expect(existsSync(path.join(root, file))).toBe(false);
    expect(heldFiles).toEqual([{ path: file, now: expect.stringMatching(/\.held-[0-9a-f]{8}$/) }]);
    expect(read(heldFiles?.[0]?.now ?? "")).toBe("payload\n");
  });

  test.each([
    ["app/.vscode/tasks.json", '{"tasks":[]}'],
    ["a/b/c/.claude/settings.json", "{}"],
    [".mcp.json", "{}"],
    ["deep/.bashrc", "x"],
    ["app/.npmrc", "script-shell=./x"],
    [".docker/cli-plugins", null],
    ["app/.husky", null],
  ])("is set aside at any depth: %s", async (file, text) => {
    const { root, run } = conversation();
    const made = text === null ? `mkdir -p ${file} && echo x > ${file}/x` : `mkdir -p ${path.dirname(file)} && echo '${text}' > ${file}`;
    const { heldFiles } = await run(made);
    expect(heldFiles).toEqual([{ path: file, now: expect.stringMatching(/\.held-[0-9a-f]{8}$/) }]);
    expect(existsSync(path.join(root, file))).toBe(false);
  });

  test("stays where its content runs nothing, as scaffolds write it", async () => {
    const { run, read } = conversation();
    const { heldFiles } = await run(
      `mkdir -p app/.vscode && echo '{"recommendations":["a.b"]}' > app/.vscode/extensions.json && echo 'engine-strict=true' > app/.npmrc`,
    );
    expect(heldFiles).toBeUndefined();
    expect(read("app/.npmrc")).toBe("engine-strict=true\n");
  });

  test("of a new repository is only what runs: its settings stay, hooks and keys that name programs do not", async () => {
    const { root, run, read } = conversation();
    const { heldFiles, stderr } = await run(
      [
        "mkdir app && cd app && git init -q && git config user.name Ann && git config core.fsmonitor ./evil",
        "echo 'exit 0' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit && echo a > a && git add a",
      ].join(" && "),
    );
    expect(heldFiles?.map((held) => held.path).sort(), stderr).toEqual(["app/.git/config", "app/.git/hooks/pre-commit"]);
    expect(read("app/.git/config")).toContain("name = Ann");
    expect(read("app/.git/config")).not.toContain("fsmonitor");
    expect(readdirSync(path.join(root, "app/.git/hooks")).filter((name) => !/\.sample$|\.held-/.test(name))).toEqual([]);
    expect((await run("cd app && git status --short")).stdout).toBe("A  a\n");
  });

  test("a worktree of a repository is no such file", async () => {
    const { run } = conversation();
    const { heldFiles, stderr } = await run(
      "mkdir app && cd app && git init -q && echo a > a && git add a && git commit -qm a && git worktree add -q ../other",
    );
    expect(heldFiles, stderr).toBeUndefined();
    const { stdout } = await run("cd other && git status --short && echo clean");
    expect(stdout).toBe("clean\n");
  });

  test("stays where the call had an opening for it, or another call was allowed to write it", async () => {
    const { root, run, read } = conversation();
    expect((await run("echo allowed > .envrc", { writable: [".envrc"] })).heldFiles).toBeUndefined();
    approveStartupFiles([path.join(root, ".bashrc")]);
    expect((await run("echo allowed > .bashrc")).heldFiles).toBeUndefined();
    expect(read(".envrc") + read(".bashrc")).toBe("allowed\nallowed\n");
  });

  test("stays where it was there before, and cannot be changed", async () => {
    const { put, run, read } = conversation();
    put(".bashrc", "mine\n");
    expect((await run("echo x >> .bashrc; rm -f .bashrc; mv .bashrc y")).heldFiles).toBeUndefined();
    expect(read(".bashrc")).toBe("mine\n");
  });

  test("is not looked for behind a link that a command made", async () => {
    const { root, run } = conversation();
    const outside = realpathSync(mkdtempSync("/var/tmp/handrail-home-"));
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    mkdirSync(path.join(outside, "git"));
    writeFileSync(path.join(outside, "git/config"), "somebody's");
    expect((await run(`ln -s ${outside} .config`)).heldFiles).toBeUndefined();
    expect(readdirSync(path.join(outside, "git"))).toEqual(["config"]);
    expect(readlinkSync(path.join(root, ".config"))).toBe(outside);
  });
});

describe("a repository that was there before", () => {
  test("gets no hook, although it has no folder for hooks yet", async () => {
    const { root, put, run } = conversation();
    put(".git/HEAD", "ref: refs/heads/main\n");
    put(".git/config", "[core]\n");
    await run("mkdir -p .git/hooks; echo x > .git/hooks/pre-commit; mv .git/hooks .git/h; mv .git g");
    expect(readdirSync(path.join(root, ".git/hooks"))).toEqual([]);
  });

  test("is not redirected to other settings", async () => {
    const { root, put, run } = conversation();
    put("repo/.git/HEAD", "ref: refs/heads/main\n");
    put("repo/.git/config", "[core]\n");
    const { heldFiles } = await run("mkdir evil; echo ../../evil > repo/.git/commondir; echo x > repo/.git/config.worktree");
    expect(heldFiles?.map((held) => held.path).sort()).toEqual(["repo/.git/commondir", "repo/.git/config.worktree"]);
    expect(existsSync(path.join(root, "repo/.git/commondir"))).toBe(false);
  });

  test("is committed to as before", async () => {
    const { run } = conversation();
    await run("git init -q && echo a > a && git add . && git commit -qm first");
    const { stdout, stderr, heldFiles } = await run(
      "echo b > b && git add -A && git commit -qm second && git status --short && git log --oneline | wc -l",
    );
    expect(stdout.trim(), stderr).toBe("2");
    expect(heldFiles).toBeUndefined();
  });

  test("in a folder behind a link is protected as well", async () => {
    const { root, put, run, read } = conversation();
    put("store/HEAD", "ref: refs/heads/main\n");
    put("store/config", "[core]\n");
    put("store/hooks/pre-commit", "exit 0\n");
    symlinkSync("store", path.join(root, ".git"));
    await run("echo x >> store/config; echo x > .git/hooks/pre-commit; echo x > store/hooks/new; mv store elsewhere");
    expect(read("store/config") + read("store/hooks/pre-commit")).toBe("[core]\nexit 0\n");
    expect(existsSync(path.join(root, "store/hooks/new"))).toBe(false);
  });
});

describe("a linked folder of hooks", () => {
  const linked = () => {
    const made = conversation();
    made.put("tools/hooks/pre-commit", "exit 0\n");
    symlinkSync("tools/hooks", path.join(made.root, ".husky"));
    return made;
  };

  test("is read-only by each of its names", async () => {
    const { run, read, root } = linked();
    await run("echo x > .husky/pre-commit; echo x > tools/hooks/pre-commit; echo x > .husky/new; mv tools/hooks tools/h");
    expect(read("tools/hooks/pre-commit")).toBe("exit 0\n");
    expect(existsSync(path.join(root, "tools/hooks/new"))).toBe(false);
  });

  test("is restored when a command puts another folder in place of the link", async () => {
    const { run, root } = linked();
    const { heldFiles } = await run("rm .husky && mkdir .husky && echo evil > .husky/pre-commit");
    expect(heldFiles?.map((held) => held.path)).toEqual([".husky"]);
    expect(lstatSync(path.join(root, ".husky")).isSymbolicLink()).toBe(true);
    expect(readlinkSync(path.join(root, ".husky"))).toBe("tools/hooks");
  });
});

describe("a folder that cannot be inspected completely", () => {
  test("runs no command without permission, and says why", async () => {
    const { root, run } = conversation();
    symlinkSync("later", path.join(root, ".envrc"));
    symlinkSync("later", path.join(root, ".bashrc"));
    await expect(run("echo evil > later")).rejects.toThrow(
      /The link \.\w+ leads to later, which does not exist yet.*commands here need an approval/,
    );
    expect((await run("echo ran", { unprotected: true })).stdout).toBe("ran\n");
  });
});

test("a secret below twenty thousand files is covered", async () => {
  const { root, put, run } = conversation();
  put("deep/er/.env", "KEY=hidden\n");
  put("deep/er/.git/config", "[core]\n");
  mkdirSync(path.join(root, "a"));
  for (let file = 0; file < 20_100; file += 1) writeFileSync(path.join(root, `a/${file}`), "");
  const { stdout } = await run("ls a | wc -l; cat deep/er/.env; (echo x >> deep/er/.git/config) 2>&-  && echo wrote");
  expect(stdout).toBe("20100\n");
}, 60_000);
