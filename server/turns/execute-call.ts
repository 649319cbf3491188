import "server-only";
import type { Json } from "@/contracts/common";
import { guardedHttp } from "@/server/capabilities/guarded-http";
import { workspaceFiles } from "@/server/capabilities/workspace-files";
import { workspaceShell } from "@/server/capabilities/workspace-shell";
import { isAppError, messageOf } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { shutdownSignal } from "@/server/platform/shutdown";
import { isRichResult, type ToolResult } from "@/server/tools/define-tool";
import { disclosureOf } from "@/server/tools/enable-tool";
import { forgetProgress, reportProgress } from "./call-progress";
import { type Outcome, sentences } from "./outcome";
import type { ReadyCall } from "./plan-segment";
import type { TurnContext } from "./turn-context";

/**
 * Runs one decided call with its own time limit and abort signal. Whatever a tool does (answer, throw, hang, ignore its
 * signal), exactly one outcome comes out, and its neighbours notice nothing.
 */
export async function executeCall(context: TurnContext, call: ReadyCall, turnSignal: AbortSignal): Promise<Outcome> {
  const { turn, conversation, scope, folder } = context;
  const { row, tool, registered } = call;
  const timeoutMs = registered.effectiveTimeoutMs;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([turnSignal, timeout]);
  try {
    const running = tool.run(call.arguments, {
      files: workspaceFiles(folder),
      shell: workspaceShell(folder),
      http: guardedHttp(),
      disclosure: disclosureOf(conversation, scope, turn.requestedBy),
      signal,
      timeoutMs,
      progress: (message) => reportProgress(turn.id, row.id, message),
    });
    const result = await Promise.race([running, rejectionOf(signal)]);
    // A stopping server ends the commands that it runs: what a shell says then is not the outcome of the command.
    if (shutdownSignal().aborted && tool.needs.includes("shell")) {
      return { callId: row.id, status: "interrupted", text: sentences.interrupted(registered.name) };
    }
    return { ...succeeded(row.id, result), neverSpilled: tool.neverSpilled };
  } catch (error) {
    if (turnSignal.aborted) return { callId: row.id, status: "cancelled", text: sentences.cancelled(registered.name) };
    if (timeout.aborted) return { callId: row.id, status: "timed_out", text: sentences.timedOut(registered.name, timeoutMs) };
    if (isAppError(error)) return { callId: row.id, status: "failed", text: error.message };
    log().warn({ err: error, tool: registered.name, callId: row.id }, "a tool failed unexpectedly");
    return { callId: row.id, status: "failed", text: sentences.broken(registered.name, messageOf(error)) };
  } finally {
    forgetProgress(turn.id, row.id);
  }
}

/** Rejects when the signal aborts: a tool that ignores its signal is left behind, not waited for. */
function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function succeeded(callId: string, result: ToolResult): Outcome {
  if (!isRichResult(result)) return { callId, status: "succeeded", text: textOf(result) };
  const { text, isError = false, structuredContent, files } = result;
  return {
    callId,
    status: isError ? "failed" : "succeeded",
    text,
    ...(structuredContent ? { structuredContent } : {}),
    ...(files ? { files } : {}),
  };
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
