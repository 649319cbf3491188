import { randomUUID } from "node:crypto";
import type { JsonObject } from "@/contracts/common";
import type { ShellResult } from "@/server/capabilities/shell/shell";
import { subtaskResult } from "@/server/tools/results/subtask-result";

/** Characters of a stream in the envelope; the result's text has more. */
const maxChars = 20_000;

/** Returns the envelope in which runtimes expect the result of a command that ran as a subtask. */
export function subtaskEnvelope({ exitCode, stdout, stderr, timedOut }: ShellResult, text: string): JsonObject {
  const [summary = ""] = text.split("\n", 1);
  return subtaskResult({
    task_id: randomUUID(),
    status: exitCode === 0 ? "done" : "failed",
    summary,
    output_kind: "json",
    output_schema: "subtask.bash.result.v1",
    output: {
      exit_code: timedOut ? 124 : exitCode,
      stdout: stdout.slice(0, maxChars).toWellFormed(),
      stderr: stderr.slice(0, maxChars).toWellFormed(),
      stdout_truncated: stdout.length > maxChars,
      stderr_truncated: stderr.length > maxChars,
    },
    error: exitCode === 0 ? "" : summary,
  });
}
