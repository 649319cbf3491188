import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "@/contracts/common";
import { AppError, isAppError } from "@/server/platform/errors";
import type { CallContext, ToolResult } from "@/server/tools/define-tool";
import { type CallOutcome, callUpstream, effectUnknown } from "./call-upstream";
import type { Session } from "./session";

type Answered = Extract<CallOutcome, { kind: "answered" }>;

export type UpstreamRequest = { rawName: string; inputSchema: JsonObject; idempotent: boolean; args: JsonObject };

/** A server's connection, as a call needs it. */
export type CallRoute = {
  alias: string;
  /** The session, or the one that is being opened. @throws AppError `unavailable` when there is none. */
  session: (context: CallContext) => Promise<Session>;
  /** Opens another session in place of one that the server has forgotten. */
  replace: (gone: Session) => Promise<void>;
};

const maxRetries = 3;
const pausePerAttemptMs = 300;
const longestPauseMs = 2_000;

/** Pause after so many failed attempts, in milliseconds; up to a quarter of it is chance, so that callers do not come in step. */
export function pauseAfter(attempts: number, chance: number): number {
  return Math.min(pausePerAttemptMs * attempts, longestPauseMs) * (0.75 + chance / 4);
}

/**
 * Makes a call, and makes it again when the connection failed under one that may be repeated: it only reads or says that
 * it is idempotent. What a server answers, errors included, is never asked for twice.
 * @throws AppError `unavailable` with the number of attempts, the signal's reason when nobody waits any more.
 */
export async function callWithRetries(route: CallRoute, request: UpstreamRequest, context: CallContext): Promise<ToolResult> {
  const { signal } = context;
  const maxAttempts = request.idempotent ? 1 + maxRetries : 1;
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await attempt(route, request, context).catch((error): Failed => {
      // After a failed attempt a server may still be starting: that is one more failed attempt. Without one, it is the end.
      if (attempts > 1 && isAppError(error) && error.code === "unavailable") return { kind: "transport_failed", sentence: error.message };
      throw error;
    });
    if (outcome.kind === "answered") return outcome.result;
    if (attempts >= maxAttempts) throw new AppError("unavailable", endingOf(outcome, request, attempts), { cause: outcome.cause });
    await wait(pauseAfter(attempts, Math.random()), undefined, { signal, ref: false }).catch(() => signal.throwIfAborted());
  }
}

type Failed = { kind: "transport_failed"; sentence: string; cause?: unknown; hadNoEffect?: boolean };

/** One attempt. A restarted server has forgotten our session and run nothing: then the call is sent once more, in a new one. */
async function attempt(route: CallRoute, request: UpstreamRequest, context: CallContext): Promise<Answered | Failed> {
  const { signal, timeoutMs, progress } = context;
  const upstream = { ...request, signal, timeoutMs, progress };
  const used = await route.session(context);
  const first = await callUpstream(route.alias, used, upstream);
  if (first.kind !== "session_gone") return first;
  await route.replace(used);
  const second = await callUpstream(route.alias, await route.session(context), upstream);
  if (second.kind !== "session_gone") return second;
  const sentence = `${route.alias} ended the session twice before it took the call.`;
  return { kind: "transport_failed", sentence, hadNoEffect: true };
}

function endingOf({ sentence, hadNoEffect = false }: Failed, { idempotent }: UpstreamRequest, attempts: number): string {
  if (attempts > 1) return `${sentence} The call failed ${attempts} times in a row. Go on without it, or try again later.`;
  return `${sentence} ${hadNoEffect || idempotent ? "Try again later." : effectUnknown}`;
}
