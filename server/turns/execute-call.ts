import "server-only";
import type { Json } from "@/contracts/common";
import { countUse } from "@/server/approvals/grants/count-use";
import { guardedHttp } from "@/server/capabilities/guarded-http";
import { areCommandsEnded } from "@/server/capabilities/running-commands";
import { workspaceFiles } from "@/server/capabilities/workspace-files";
import { workspaceShell } from "@/server/capabilities/workspace-shell";
import { isAppError, messageOf } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { shutdownSignal } from "@/server/platform/shutdown";
import { isRichResult, type Steps, type ToolResult } from "@/server/tools/define-tool";
import { delegateOf } from "@/server/tools/delegate/delegate-of";
import { disclosureOf } from "@/server/tools/enable-tool";
import { jobsOf } from "./background/jobs-of-conversation";
import { hooked } from "./hooked-call";
import { mayReplaceKnown } from "./known-file";
import { type Outcome, sentences } from "./outcome";
import type { ReadyCall } from "./plan-segment";
import type { TurnContext } from "./turn-context";

export type Execution = {
  /** Aborts when somebody stops the call. */
  stopped: AbortSignal;
  timeoutMs: number;
  /** Takes a line for people about how far the work is. */
  progress: (message: string) => void;
  /** Walks through a tool that works in steps, and answers its questions, until the call is over. */
  walk: (steps: Steps, over: AbortSignal) => Promise<ToolResult>;
};

/**
 * Runs one decided call with its own time limit and abort signal, and the hooks after it. Whatever a tool does (answer,
 * throw, hang, ignore its signal), exactly one outcome comes out, and its neighbours notice nothing.
 */
export async function executeCall(context: TurnContext, call: ReadyCall, execution: Execution): Promise<Outcome> {
  return hooked(context, call, await perform(context, call, execution));
}

async function perform(context: TurnContext, call: ReadyCall, execution: Execution): Promise<Outcome> {
  const { turn, conversation, scope, folder } = context;
  const { row, tool, registered } = call;
  const { stopped, timeoutMs, progress, walk } = execution;
  // Stopped while it waited for a slot: not every tool looks at its signal before it does something.
  if (stopped.aborted) return { callId: row.id, status: "cancelled", text: sentences.cancelled(registered.name) };
  if (call.decision.grantId) await countUse(call.decision.grantId);
  const ended = new AbortController();
  const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>();
  givenUp.catch(() => {});
  let isTimedOut = false;
  let isOver = false;
  const end = (reason: Error) => {
    ended.abort(reason);
    giveUp(reason);
  };
  const stop = () => end(new Error("the call was stopped"));
  const timer = setTimeout(() => {
    isTimedOut = true;
    end(new Error("the time of the call is up"));
  }, timeoutMs);
  stopped.addEventListener("abort", stop);
  try {
    const running = tool.run(call.arguments, {
      files: workspaceFiles(folder, { mayReplace: mayReplaceKnown(context) }),
      shell: workspaceShell(folder),
      http: guardedHttp(),
      disclosure: disclosureOf(conversation, scope, turn.requestedBy),
      jobs: jobsOf(conversation, turn.requestedBy),
      delegate: delegateOf({ workspaceId: conversation.workspaceId, callId: row.id }),
      signal: ended.signal,
      timeoutMs,
      // A tool that was left behind has nothing to say any more.
      progress: (message) => {
        if (!isOver) progress(message);
      },
    });
    // A tool that ignores its signal is left behind, not waited for.
    const result = await Promise.race([isSteps(running) ? walk(running, ended.signal) : running, givenUp]);
    // A stopping server ends the commands that do not end in time: what a shell says then is not the outcome of the command.
    if (shutdownSignal().aborted && areCommandsEnded() && tool.needs.includes("shell")) {
      return { callId: row.id, status: "interrupted", text: sentences.interrupted(registered.name) };
    }
    return { ...succeeded(row.id, result), neverSpilled: tool.neverSpilled };
  } catch (error) {
    if (stopped.aborted) return { callId: row.id, status: "cancelled", text: sentences.cancelled(registered.name) };
    if (isTimedOut) return { callId: row.id, status: "timed_out", text: sentences.timedOut(registered.name, timeoutMs) };
    if (isAppError(error)) return { callId: row.id, status: "failed", text: error.message };
    log().warn({ err: error, tool: registered.name, callId: row.id }, "a tool failed unexpectedly");
    return { callId: row.id, status: "failed", text: sentences.broken(registered.name, messageOf(error)) };
  } finally {
    isOver = true;
    clearTimeout(timer);
    stopped.removeEventListener("abort", stop);
  }
}

function isSteps(running: Promise<ToolResult> | Steps): running is Steps {
  return Symbol.asyncIterator in running;
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
