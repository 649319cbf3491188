import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { workspaceShell } from "@/server/capabilities/shell/workspace-shell";
import { listProcesses } from "./processes/list-processes";
import { temporaryFolder } from "./tool-context";

type Options = Partial<Parameters<ReturnType<typeof workspaceShell>["run"]>[1]>;

function workspace() {
  const root = path.join(temporaryFolder(), "workspace");
  const shell = workspaceShell(root);
  const run = (command: string, options: Options = {}) =>
    shell.run(command, { timeoutMs: 10_000, signal: new AbortController().signal, maxBytesPerStream: 10_000, ...options });
  return { root, run };
}

/** Reads the process ids that a command wrote to the file `pids` in its folder, one per started process. */
const pidsIn = (root: string) => readFileSync(path.join(root, "pids"), "utf8").trim().split(/\s+/).map(Number);

/**
 * Defines the tests that hold for every shell, in the sandbox or outside.
 * @param added variables of this shell's commands, beside those common to both shells
 */
export function shellLaws({ added }: { added: readonly string[] }): void {
  describe("a command", () => {
    test("runs in the workspace folder and answers its exit code and both streams", async () => {
      const { root, run } = workspace();
      expect(await run("pwd; echo héllo; echo oops >&2; exit 3")).toEqual({
        exitCode: 3,
        stdout: `${root}\nhéllo\n`,
        stderr: "oops\n",
        timedOut: false,
      });
    });

    test("is a whole script: pipes, variables, several lines", async () => {
      const { run } = workspace();
      const { stdout } = await run('for n in 3 1 2; do\n  echo "$n"\ndone | sort | tr "\\n" ","');
      expect(stdout).toBe("1,2,3,");
    });

    test("gets no input, so that what asks for some does not hang", async () => {
      const { run } = workspace();
      expect(await run("cat; read line; echo $?")).toMatchObject({ exitCode: 0, stdout: "1\n", timedOut: false });
    });

    test("may start in a folder of the workspace", async () => {
      const { root, run } = workspace();
      mkdirSync(path.join(root, "a/b"), { recursive: true });
      expect((await run("pwd", { cwd: "a/b" })).stdout).toBe(`${root}/a/b\n`);
      expect((await run("pwd", { cwd: root })).stdout).toBe(`${root}\n`);
    });

    test.each([
      ["..", "forbidden"],
      ["/etc", "forbidden"],
      ["door", "forbidden"],
      ["nowhere", "not_found"],
      ["file", "invalid"],
    ])("does not start in %s", async (cwd, code) => {
      const { root, run } = workspace();
      mkdirSync(root);
      symlinkSync("/", path.join(root, "door"));
      writeFileSync(path.join(root, "file"), "");
      await expect(run("pwd", { cwd })).rejects.toEqual(expect.objectContaining({ code }));
    });

    test.each([
      ["an empty command", "  ", "invalid"],
      ["a NUL", "echo \0", "invalid"],
      ["more than the system takes", `: ${"x".repeat(130_000)}`, "too_large"],
    ])("is refused with a sentence when it is %s", async (_what, command, code) => {
      await expect(workspace().run(command)).rejects.toEqual(expect.objectContaining({ code }));
    });

    test("that a signal ends answers 128 and the signal, as shells do", async () => {
      expect(await workspace().run("kill -KILL $$")).toMatchObject({ exitCode: 137, timedOut: false });
      expect(await workspace().run("no-such-program")).toMatchObject({ exitCode: 127 });
    });
  });

  describe("the environment of a command", () => {
    test("holds a short list of names, and nothing of ours", async () => {
      vi.stubEnv("DATABASE_URL", "postgres://user:secret@db/handrail");
      vi.stubEnv("HANDRAIL_SECRET_KEY", "secret-key");
      vi.stubEnv("OPENAI_API_KEY", "secret-openai");
      vi.stubEnv("HTTPS_PROXY", "http://user:secret@proxy");
      vi.stubEnv("NODE_OPTIONS", "--max-old-space-size=64");
      onTestFinished(() => void vi.unstubAllEnvs());
      const { root, run } = workspace();
      const { stdout } = await run("env");
      const names = stdout
        .trim()
        .split("\n")
        .map((line) => line.split("=")[0] ?? "");
      const allowed = ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TERM", "PAGER", "GIT_TERMINAL_PROMPT", "SHLVL", "_"];
      expect(names.filter((name) => !allowed.includes(name)).sort()).toEqual(added);
      expect(stdout).toContain(`HOME=${root}\n`);
      expect(stdout).toContain("TERM=dumb\n");
      expect(stdout).not.toContain("secret");
    });

    test("gives it no open file of ours", async () => {
      const ours = path.join(temporaryFolder(), "ours.txt");
      const descriptor = openSync(ours, "w");
      const { stdout } = await workspace().run("ls -l /proc/self/fd");
      closeSync(descriptor);
      expect(stdout).toContain("/dev/null");
      expect(stdout).not.toContain("ours.txt");
    });
  });

  describe("output", () => {
    test("over the limit keeps its beginning and its end, and says what is missing", async () => {
      const { stdout, stderr } = await workspace().run("printf '%020000d' 1; printf 'a%020000d' 2 >&2");
      const missing = (bytes: string) => `\n[... ${bytes} bytes left out here, because only 10,000 bytes of an output are kept ...]\n`;
      expect(stdout).toBe(`${"0".repeat(5_000)}${missing("10,000")}${"0".repeat(4_999)}1`);
      expect(stderr).toBe(`a${"0".repeat(4_999)}${missing("10,001")}${"0".repeat(4_999)}2`);
    });

    test("of exactly the limit is whole", async () => {
      const { stdout } = await workspace().run("printf '%010000d' 0");
      expect(stdout).toBe("0".repeat(10_000));
    });

    test("is never cut inside a character", async () => {
      const { run } = workspace();
      for (const limit of [10, 12, 14, 16, 18]) {
        const { stdout } = await run("printf 'a😀😀😀😀😀'", { maxBytesPerStream: limit });
        expect(stdout).toMatch(/^a(😀)*\n\[\.\.\. \d+ bytes left out [^\]]*\]\n(😀)*$/u);
      }
    });

    test("that is not UTF-8 stays readable", async () => {
      const { stdout } = await workspace().run("printf 'ok \\377\\376 ok'");
      expect(stdout).toBe("ok \uFFFD\uFFFD ok");
    });

    test("is read back although the command cleared or appended to its own stream", async () => {
      const { stdout } = await workspace().run("echo one; echo two >> /dev/stdout; echo three");
      expect(stdout).toBe("one\ntwo\nthree\n");
    });

    test("that never ends stops the command long before it fills disk or memory", async () => {
      const { run } = workspace();
      const before = process.memoryUsage().rss;
      const result = await run("yes 'a flood of output'", { timeoutMs: 14_000 });
      expect(result).toMatchObject({ stoppedForOutput: true, timedOut: false, exitCode: 143 });
      expect(result.stdout).toContain("only 10,000 bytes of an output are kept");
      expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    });

    test("leaves no file behind", async () => {
      const { run } = workspace();
      // Its own folder, because the shared one holds leftovers of killed servers.
      vi.stubEnv("TMPDIR", temporaryFolder());
      await run("echo hello");
      expect(readdirSync(tmpdir())).toEqual([]);
      vi.unstubAllEnvs();
    });
  });

  describe("when the time is up", () => {
    test("the command is ended and what it had printed is answered", async () => {
      const { run } = workspace();
      expect(await run("echo early; sleep 60; echo late", { timeoutMs: 300 })).toEqual({
        exitCode: -1,
        stdout: "early\n",
        stderr: "",
        timedOut: true,
      });
    });

    test("a command may still tidy up when it is asked to end", async () => {
      const { run } = workspace();
      const { stdout } = await run("trap 'echo tidied; exit' TERM; while :; do sleep 0.05; done", { timeoutMs: 300 });
      expect(stdout).toBe("tidied\n");
    });

    test("children that ignore the signal are killed with it", async () => {
      const { root, run } = workspace();
      const stubborn = "trap '' TERM INT HUP; echo $$ >> pids; while :; do sleep 1; done";
      mkdirSync(root);
      writeFileSync(path.join(root, "stubborn.sh"), stubborn);
      const result = await run("sh stubborn.sh & sh stubborn.sh & sh stubborn.sh & trap '' TERM; wait", { timeoutMs: 500 });
      expect(result).toMatchObject({ exitCode: -1, timedOut: true });
      expect(pidsIn(root)).toHaveLength(3);
      expect(listProcesses(root)).toEqual([]);
    });

    test("children in a group or a session of their own are killed with it", async () => {
      const { root, run } = workspace();
      const result = await run(
        `set -m
         (trap '' TERM; sh -c 'echo $$ >> pids; exec sleep 600') &
         setsid sh -c 'echo $$ >> pids; exec sleep 601' &
         setsid sh -c 'setsid sh -c "echo \\$\\$ >> pids; exec sleep 602" & exit' &
         (setsid env -i /bin/sh -c 'echo $$ >> pids; exec /bin/sleep 603'; true) &
         sleep 60`,
        { timeoutMs: 800 },
      );
      expect(result).toMatchObject({ exitCode: -1, timedOut: true });
      expect(pidsIn(root)).toHaveLength(4);
      expect(listProcesses(root)).toEqual([]);
    });

    test("processes that breed faster than they are counted are all ended", async () => {
      const { root, run } = workspace();
      mkdirSync(root);
      // Each process ignores SIGTERM, starts two children and waits for them: 2, 4, 8 ... until the shell stops them.
      writeFileSync(
        path.join(root, "breed.sh"),
        `trap '' TERM INT HUP
         echo $$ >> pids
         [ "$1" -gt 7 ] && exec sleep 600
         sh breed.sh $(($1 + 1)) & sh breed.sh $(($1 + 1)) & wait`,
      );
      const result = await run("sh breed.sh 1", { timeoutMs: 700 });
      expect(result).toMatchObject({ exitCode: -1, timedOut: true });
      expect(pidsIn(root).length).toBeGreaterThan(3);
      expect(listProcesses(root)).toEqual([]);
    });

    test("children that ended without being waited for do not hold it up", async () => {
      const { run } = workspace();
      // `exec` keeps the children, and `sleep` never reaps them.
      expect(await run("sh -c : & sh -c : & exec sleep 60", { timeoutMs: 300 })).toMatchObject({ timedOut: true });
    });
  });

  describe("a cancelled command", () => {
    test("is ended with everything it started before the caller hears of it", async () => {
      const { root, run } = workspace();
      const stop = new AbortController();
      const running = run("sleep 600 & echo $! > pids; echo ready > ready; wait", { signal: stop.signal });
      await vi.waitFor(() => expect(existsSync(path.join(root, "ready"))).toBe(true));
      expect(listProcesses(root).length).toBeGreaterThan(1);
      stop.abort(new Error("the turn was cancelled"));
      await expect(running).rejects.toThrow("the turn was cancelled");
      expect(listProcesses(root)).toEqual([]);
    });

    test("never starts when it was cancelled before", async () => {
      const { root, run } = workspace();
      await expect(run("touch started", { signal: AbortSignal.abort(new Error("too late")) })).rejects.toThrow("too late");
      expect(existsSync(path.join(root, "started"))).toBe(false);
    });
  });

  describe("what a command leaves running", () => {
    test("ends with it, and does not make the caller wait", async () => {
      const { root, run } = workspace();
      const { stdout, exitCode } = await run(
        "sleep 600 & echo $! >> pids; nohup setsid sh -c 'echo $$ >> pids; exec sleep 601' >/dev/null 2>&1 & sleep 0.3; echo done",
      );
      expect({ stdout, exitCode }).toEqual({ stdout: "done\n", exitCode: 0 });
      expect(pidsIn(root)).toHaveLength(2);
      expect(listProcesses(root)).toEqual([]);
    });

    test("does not include anybody else's processes", async () => {
      const { run } = workspace();
      const other = workspace();
      const running = other.run("sleep 1.5; echo untouched");
      await run("sleep 600 & echo done");
      await run("sleep 60", { timeoutMs: 200 });
      expect(await running).toMatchObject({ exitCode: 0, stdout: "untouched\n" });
    });
  });

  test("no open file of ours is left after many commands", async () => {
    const { run } = workspace();
    await run("true");
    const openFiles = () => readdirSync("/dev/fd").length;
    const before = openFiles();
    for (let round = 0; round < 10; round += 1) await run("echo hello");
    await run("true", { cwd: "missing" }).catch(() => {});
    // Node closes pipes shortly after their process has ended.
    await expect.poll(openFiles, { timeout: 10_000 }).toBeLessThanOrEqual(before + 1);
  });
}
