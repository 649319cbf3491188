import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { ShellCapability } from "@/server/capabilities/shell/shell";
import { workspaceShell } from "@/server/capabilities/shell/workspace-shell";
import { temporaryFolder, toolContext } from "@/server/testing/tool-context";
import type { ShellSessionCapability } from "../shell-session";
import { shellExecute } from "./shell-execute";

async function execute(args: JsonObject, context: Partial<Parameters<typeof shellExecute.run>[1]>) {
  const parsed = shellExecute.parse(args);
  if (!parsed.ok) throw new Error(parsed.message);
  return shellExecute.run(parsed.value, toolContext({ timeoutMs: shellExecute.timeoutMs, shell_session: newSession, ...context }));
}

/** The session of a conversation without commands. */
const newSession: ShellSessionCapability = {
  load: async () => ({ folder: ".", environment: {}, lostFolder: null }),
  save: async ({ folder }) => ({ folder: folder ?? ".", notes: [] }),
};
const sessionOptions = { environment: {}, reportsSession: true };

/** Returns a shell that only records its calls. */
function notingShell() {
  const asked: { command: string; timeoutMs: number; maxBytesPerStream: number; cwd?: string }[] = [];
  const shell: ShellCapability = {
    run: async (command, { signal: _signal, onOutput: _onOutput, ...options }) => {
      asked.push({ command, ...options });
      return { exitCode: 0, stdout: "", stderr: "", timedOut: false };
    },
  };
  return { shell, asked };
}

test("a command that succeeds answers plain text: its exit code, then what it printed", async () => {
  const shell = workspaceShell(temporaryFolder());
  expect(await execute({ command: `echo '"a"\\tb'; echo warning >&2` }, { shell })).toMatchObject({
    text: 'exit code 0\n"a"\\tb\n[stderr]\nwarning\n',
  });
  expect(await execute({ command: "true" }, { shell })).toMatchObject({ text: "exit code 0\n(no output)" });
  expect(await execute({ command: "printf end; echo more >&2" }, { shell })).toMatchObject({ text: "exit code 0\nend\n[stderr]\nmore\n" });
});

test("a program reads the result of a command without parsing its text", async () => {
  const shell = workspaceShell(temporaryFolder());
  expect(await execute({ command: "echo out; echo err >&2; exit 3" }, { shell })).toMatchObject({
    structuredContent: { exitCode: 3, stdout: "out\n", stderr: "err\n", timedOut: false, truncated: false },
  });
  expect(await execute({ command: "seq 1 5000; echo err >&2" }, { shell })).toMatchObject({
    structuredContent: { exitCode: 0, stdout: "", stderr: "err\n", truncated: true },
  });
});

test("a model that lost its folder learns where it is", async () => {
  const root = temporaryFolder();
  mkdirSync(path.join(root, "app"));
  const shell = workspaceShell(root);
  const inApp = { ...newSession, load: async () => ({ folder: "app", environment: {}, lostFolder: null }) };
  const again = await execute({ command: "cd app && ls", cwd: "app" }, { shell, shell_session: inApp });
  expect(again).toMatchObject({ text: expect.stringContaining("[The commands are in app already.]") });
  const first = await execute({ command: "cd app" }, { shell });
  expect(first).toMatchObject({ text: expect.stringContaining("[folder: app]\n[Paths of file tools begin at the workspace: app/…]") });
});

test("a running command tells its last whole line as progress, and never a line that may belong to a key", async () => {
  const root = temporaryFolder();
  const shell = workspaceShell(root);
  const lines: string[] = [];
  const progress = (line: string) => {
    lines.push(line);
    writeFileSync(path.join(root, lines.length === 1 ? "first" : "second"), "");
  };
  const key = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVpBQkNERUZHSElKS0xNTk9QUVJTVFVWV1hZ";
  const until = (file: string) => `until [ -e ${file} ]; do sleep 0.02; done`;
  const command = `printf 'Compiling 1 of 2\\nhalf a li'; ${until("first")}; printf 'ne\\n${key}\\n${key.slice(0, 50)}\\nshort==\\n'; ${until("second")}; echo done`;
  await execute({ command, timeoutSeconds: 20 }, { shell, progress });
  expect(lines.slice(0, 2)).toEqual(["Compiling 1 of 2", expect.stringMatching(/^\d+ bytes of output so far$/)]);
  expect(lines.join("\n")).not.toContain("short==");
});

test("a command with another exit code is an error that answers", async () => {
  const shell = workspaceShell(temporaryFolder());
  const result = await execute({ command: "echo out; echo err >&2; exit 2" }, { shell });
  expect(result).toMatchObject({ text: "exit code 2\nout\n[stderr]\nerr\n", isError: true, isAnswer: true });
  expect(result).not.toHaveProperty("isTimedOut");
});

test("a command that takes too long is timed out, with what it printed and what to do", async () => {
  const shell = workspaceShell(temporaryFolder());
  const result = await execute({ command: "echo begun; sleep 60", timeoutSeconds: 3 }, { shell });
  expect(result).toMatchObject({
    text: "exit code -1: stopped after 3 seconds. Raise timeoutSeconds (at most 300), or do less at once.\nbegun\n",
    isError: true,
    isTimedOut: true,
  });
  expect(result).not.toHaveProperty("isAnswer");
});

test("a command that failed because the sandbox has no network answers how to ask for it", async () => {
  const shell: ShellCapability = {
    run: async () => ({ exitCode: 6, stdout: "", stderr: "curl: (6) Could not resolve host", timedOut: false, missedNetwork: true }),
  };
  expect(await execute({ command: "curl https://example.com" }, { shell })).toMatchObject({
    text: "exit code 6: the sandbox has no network. Name the hosts that the command needs in `hosts`.\n[stderr]\ncurl: (6) Could not resolve host",
  });
});

test("bash runs the command: tests, lists of numbers and source work", async () => {
  const shell = workspaceShell(temporaryFolder());
  const command = `echo 'NAME=world' > vars; source vars; [[ $NAME == w* ]] && echo {1..3} "$NAME"`;
  expect(await execute({ command }, { shell })).toMatchObject({ text: "exit code 0\n1 2 3 world\n" });
});

test("the whole of a long output is answered, and of an endless one its beginning and end", async () => {
  const shell = workspaceShell(temporaryFolder());
  const long = await execute({ command: "seq 1 50000" }, { shell });
  expect(long).toMatchObject({ text: expect.stringMatching(/^exit code 0\n1\n2\n[\s\S]*\n49999\n50000\n$/) });
  const giant = await execute({ command: "printf 'first '; head -c 9000000 /dev/zero | tr '\\0' x; printf ' last'" }, { shell });
  // A pattern over millions of characters overflows the stack of the engine.
  const { text } = giant as { text: string };
  expect(text.slice(0, 30)).toBe(`exit code 0\nfirst ${"x".repeat(12)}`);
  expect(text.slice(-20)).toBe(`${"x".repeat(15)} last`);
  const at = text.indexOf("\n[... ");
  expect(text.slice(at, text.indexOf("]\nx", at))).toMatch(/^\n\[\.\.\. 1,000,011 bytes left out here[^\]]*8,000,000[^\]]*$/);
});

describe("the time a command gets", () => {
  test.each([
    [{}, 60_000],
    [{ timeoutSeconds: 5 }, 5_000],
    [{ timeoutSeconds: 300 }, 300_000],
    [{ timeoutSeconds: 100_000 }, 300_000],
    [{ timeout: 120_000 }, 300_000],
    [{ timeout_seconds: 7 }, 7_000],
  ])("for %j is %d milliseconds", async (args, timeoutMs) => {
    const { shell, asked } = notingShell();
    await execute({ command: "true", ...args }, { shell });
    expect(asked).toEqual([{ command: "true", timeoutMs, maxBytesPerStream: 8_000_000, ...sessionOptions }]);
  });

  test("ends before the call's own time does, so that its output is still answered", async () => {
    const { shell, asked } = notingShell();
    await execute({ command: "true", timeoutSeconds: 300 }, { shell });
    await execute({ command: "true", timeoutSeconds: 300 }, { shell, timeoutMs: 20_000 });
    await execute({ command: "true", timeoutSeconds: 300 }, { shell, timeoutMs: 1_000 });
    expect(asked.map(({ timeoutMs }) => timeoutMs)).toEqual([300_000, 15_000, 500]);
  });

  test.each([0, -1, "soon"])("cannot be %j", (timeoutSeconds) => {
    expect(shellExecute.parse({ command: "true", timeoutSeconds })).toMatchObject({ ok: false });
  });

  test("is recorded as it will be used", () => {
    expect(shellExecute.parse({ command: "true", timeoutSeconds: 999 })).toEqual({
      ok: true,
      value: { command: "true", timeoutSeconds: 300 },
    });
  });
});

test("other names of the parameters are understood", async () => {
  const { shell, asked } = notingShell();
  await execute({ cmd: "ls", workdir: "src" }, { shell });
  expect(asked).toEqual([{ command: "ls", cwd: "src", timeoutMs: 60_000, maxBytesPerStream: 8_000_000, ...sessionOptions }]);
});

test("it asks under the default policy, one command at a time", () => {
  expect(shellExecute).toMatchObject({ effect: "destroy", dangerous: true, concurrencySafe: false, primaryArgument: "command" });
});

test("a command with pty has a terminal, and its result is plain text", async () => {
  const shell = workspaceShell(temporaryFolder());
  const command = `[ -t 0 ] && [ -t 1 ] && printf '\\033[32m1%%\\r100%%\\033[0m\\n'; stty size; exit 3`;
  expect(await execute({ command, pty: true }, { shell })).toMatchObject({ text: "exit code 3\n100%\n40 120\n" });
  expect(await execute({ command: "test -t 1" }, { shell })).toMatchObject({ text: "exit code 1\n(no output)" });
});

test("colours are left out of what the model reads", async () => {
  const shell = workspaceShell(temporaryFolder());
  expect(await execute({ command: "printf '\\033[1;31mred\\033[0m'" }, { shell })).toMatchObject({ text: "exit code 0\nred" });
});

test("a command of a subtask also answers its envelope", async () => {
  const shell = workspaceShell(temporaryFolder());
  expect(await execute({ command: "echo out; echo err >&2; exit 2", run_in_subtask: true }, { shell })).toMatchObject({
    text: "exit code 2\nout\n[stderr]\nerr\n",
    structuredContent: {
      status: "failed",
      summary: "exit code 2",
      output_schema: "subtask.bash.result.v1",
      output: { exit_code: 2, stdout: "out\n", stderr: "err\n", stdout_truncated: false },
      error: "exit code 2",
    },
  });
});
