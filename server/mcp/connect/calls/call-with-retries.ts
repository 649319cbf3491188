import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "@/contracts/common";
import type { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { AppError, isAppError } from "@/server/platform/errors";
import type { ToolCallContext, ToolResult } from "@/server/tools/define-tool";
import { withNote } from "../content/with-note";
import { auditedConsole, clientAnswersOf, clientFirst } from "../questions/ask-client";
import { isConnectedAgain, scopeMissing } from "../questions/ask-for-scope";
import { elicitFrom } from "../questions/elicit";
import type { Session } from "../session/session";
import { type AnswerUse, type CallOutcome, callUpstream, effectUnknown } from "./call-upstream";

type Answered = Extract<CallOutcome, { kind: "answered" }>;

export type UpstreamRequest = {
  rawName: string;
  inputSchema: JsonObject;
  idempotent: boolean;
  args: JsonObject;
  /** The tool's calls must run as tasks. */
  asTask?: boolean;
  /** Who answers the server's questions; absent: the calling client first. */
  questions?: McpServerDraft["questions"];
} & AnswerUse;

/** The part of a server's connection that a call needs. */
export type CallRoute = {
  alias: string;
  /** Name of the person whose sign-in the session carries; absent: the workspace's. */
  person?: string | null;
  /** Returns the open session, or waits for the session that is opening. @throws AppError `unavailable` without either. */
  session: (context: Pick<ToolCallContext, "signal">) => Promise<Session>;
  /** Opens a new session in place of a session that the server has forgotten. */
  replace: (gone: Session) => Promise<void>;
  /** The session in which each conversation made its last call; absent where a lost session is told otherwise. */
  lastUsed?: { get(conversationId: string): Session | undefined; set(conversationId: string, session: Session): unknown };
};

const maxRetries = 3;
const pausePerAttemptMs = 300;
const maxPauseMs = 2_000;

/** Returns the pause after so many failed attempts, in ms. A quarter of it is random, so that callers do not retry in step. */
export function pauseAfter(attempts: number, chance: number): number {
  return Math.min(pausePerAttemptMs * attempts, maxPauseMs) * (0.75 + chance / 4);
}

/**
 * Makes a call. When the connection fails, a call is repeated only if the tool reads or is idempotent. Any answer of the
 * server, also an error, is final.
 * @throws AppError `unavailable` with the number of attempts; the signal's reason when the call was aborted.
 */
export async function callWithRetries(route: CallRoute, request: UpstreamRequest, context: ToolCallContext): Promise<ToolResult> {
  const { signal } = context;
  const maxAttempts = request.idempotent ? 1 + maxRetries : 1;
  // Not `retry`, because a failure is an outcome, and its sentence counts the attempts.
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await attempt(route, request, context).catch((error): Failed => {
      // After a failed attempt the server may still be restarting, so this counts as another failed attempt. At the first
      // attempt the server was away before the call, and the error is final.
      if (attempts > 1 && isAppError(error) && error.code === "unavailable") return { kind: "transport_failed", sentence: error.message };
      throw error;
    });
    if (outcome.kind === "answered") return outcome.result;
    // A call that stopped the server would probably stop it again, for all its users.
    if (attempts >= maxAttempts || outcome.serverStopped)
      throw new AppError("unavailable", endingOf(outcome, request, attempts), { cause: outcome.cause });
    await wait(pauseAfter(attempts, Math.random()), undefined, { signal, ref: false }).catch(() => signal.throwIfAborted());
  }
}

type Failed = { kind: "transport_failed"; sentence: string; cause?: unknown; serverStopped?: boolean; hadNoEffect?: boolean };

/** Makes one attempt. A restarted server has forgotten the session and run nothing, so the call is resent in a new session. */
async function attempt(route: CallRoute, request: UpstreamRequest, context: ToolCallContext): Promise<Answered | Failed> {
  const { signal, timeoutMs, progress, traceparent, meta, client, ask, standStill, origin } = context;
  const unanswered: string[] = [];
  const onUnanswered = (why: string) => void unanswered.push(why);
  const { alias } = route;
  const inConsole = ask ? auditedConsole({ alias, origin }, elicitFrom(alias, ask, onUnanswered)) : null;
  const mayAskClient = client && origin && request.questions !== "console_only";
  const answers = mayAskClient ? clientAnswersOf({ alias, client, origin, onUnanswered }) : null;
  const upstream = {
    ...request,
    signal,
    timeoutMs,
    progress,
    conversationId: origin?.conversationId ?? null,
    elicit: clientFirst(answers, inConsole),
    client: answers,
    standStill,
    log: client?.logLevel ? { level: client.logLevel, add: client.log } : null,
    ...(traceparent ? { traceparent } : {}),
    ...(meta ? { meta } : {}),
  };
  let wasForgotten = false;
  let isRefused = false;
  let wasAsked = false;
  for (;;) {
    const used = await route.session(context);
    wasForgotten ||= isReplaced(route, origin?.conversationId, used);
    const outcome = await callUpstream(route.alias, used, upstream);
    if (outcome.kind === "session_gone") {
      const sentence = `${route.alias} ended the session twice before it took the call.`;
      if (isRefused) return { kind: "transport_failed", sentence, hadNoEffect: true };
      isRefused = true;
      wasForgotten = true;
    } else if (outcome.kind === "scope_needed") {
      if (wasAsked || !(await isConnectedAgain(route, outcome.sentence, ask))) throw scopeMissing(outcome.sentence);
      wasAsked = true;
    } else if (outcome.kind === "answered") {
      const notes = [
        ...(wasForgotten ? [forgottenNote(route.alias)] : []),
        ...(unanswered.length > 0 ? [unansweredNote(route.alias, unanswered)] : []),
      ];
      return notes.length === 0 ? outcome : { ...outcome, result: withNote(outcome.result, notes.join("\n")) };
    } else return outcome;
    // A new session reads the tokens that the new sign-in stored.
    await route.replace(used);
  }
}

/** Returns whether the conversation's last call was made in a session that has been lost since. */
function isReplaced({ lastUsed }: CallRoute, conversationId: string | undefined, used: Session): boolean {
  if (!lastUsed || conversationId === undefined) return false;
  const before = lastUsed.get(conversationId);
  lastUsed.set(conversationId, used);
  return before !== undefined && before !== used && before.lost() !== null;
}

/** Tells the model that state of earlier calls is gone, because it would otherwise rely on it. */
const forgottenNote = (alias: string) =>
  `[${alias} had lost its session, so this call ran in a new one. State of earlier calls may be gone.]`;

/** Tells the model that no person refused, although the server may say so. */
const unansweredNote = (alias: string, reasons: readonly string[]) =>
  `[${alias} asked a question that nobody answered: ${[...new Set(reasons)].join(" ")}]`;

const advice = "Go on without it, or try again later.";

function endingOf({ sentence, hadNoEffect = false, serverStopped }: Failed, { idempotent }: UpstreamRequest, attempts: number): string {
  if (serverStopped && idempotent) return `${sentence} The call is not repeated, because it may have stopped the server. ${advice}`;
  // The sentence of a disconnected server already contains the advice.
  if (attempts > 1) return `${sentence.replace(advice, "").trim()} The call failed ${attempts} times in a row. ${advice}`;
  return `${sentence} ${hadNoEffect || idempotent ? "Try again later." : effectUnknown}`;
}
