import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { ShellCapability } from "@/server/capabilities/shell";
import { workspaceShell } from "@/server/capabilities/workspace-shell";
import { temporaryFolder, toolContext } from "@/server/testing/tool-context";
import { shellExecute } from "./shell-execute";

async function execute(args: JsonObject, context: Partial<Parameters<typeof shellExecute.run>[1]>) {
  const parsed = shellExecute.parse(args);
  if (!parsed.ok) throw new Error(parsed.message);
  return shellExecute.run(parsed.value, toolContext({ timeoutMs: shellExecute.timeoutMs, ...context }));
}

/** A shell that only notes what it was asked. */
function notingShell() {
  const asked: { command: string; timeoutMs: number; maxBytesPerStream: number; cwd?: string }[] = [];
  const shell: ShellCapability = {
    run: async (command, { signal: _signal, ...options }) => {
      asked.push({ command, ...options });
      return { exitCode: 0, stdout: "", stderr: "", timedOut: false };
    },
  };
  return { shell, asked };
}

test("a command's exit code and output are answered", async () => {
  const shell = workspaceShell(temporaryFolder());
  expect(await execute({ command: "echo out; echo err >&2; exit 2" }, { shell })).toEqual({
    exitCode: 2,
    stdout: "out\n",
    stderr: "err\n",
    timedOut: false,
  });
});

test("a command that takes too long answers what it printed, exit code -1 and what to do", async () => {
  const shell = workspaceShell(temporaryFolder());
  expect(await execute({ command: "echo begun; sleep 60", timeoutSeconds: 0.3 }, { shell })).toEqual({
    exitCode: -1,
    stdout: "begun\n",
    stderr: "",
    timedOut: true,
    message: expect.stringContaining("timeoutSeconds"),
  });
});

test("each stream is bounded to 10,000 bytes", async () => {
  const shell = workspaceShell(temporaryFolder());
  expect(await execute({ command: "printf '%030000d' 0" }, { shell })).toMatchObject({
    stdout: `${"0".repeat(10_000)}\n... [output truncated, exceeds 10000 byte limit]`,
  });
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
    expect(asked).toEqual([{ command: "true", timeoutMs, maxBytesPerStream: 10_000 }]);
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
  expect(asked).toEqual([{ command: "ls", cwd: "src", timeoutMs: 60_000, maxBytesPerStream: 10_000 }]);
});

test("it asks under the default policy, one command at a time", () => {
  expect(shellExecute).toMatchObject({ effect: "destroy", dangerous: true, concurrencySafe: false, primaryArgument: "command" });
});
