import "server-only";
import { eq } from "drizzle-orm";
import { conversations, type FailureStreaks } from "@/db/schema";
import { type ConversationRow, conversationChanged } from "@/server/conversations/find-conversation";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database";
import { log } from "@/server/platform/log";
import { loopLimits, type Outcome, sentences } from "./outcome";
import type { ReadyCall } from "./plan-segment";

/** What nobody has failed at for this long is forgotten: the reason may be gone. */
const forgottenAfterMs = 10 * 60_000;

type Attempt = Pick<ReadyCall, "registered" | "arguments">;

/** Why a call is not run any more, because it or its tool failed too often in a row; null when it may run. */
export function whyStopped(failures: FailureStreaks | null, attempt: Attempt, now: number = Date.now()): string | null {
  if (!failures) return null;
  const { name } = attempt.registered;
  const ofCall = timesOf(failures.calls, digestOf(attempt), now);
  if (ofCall >= loopLimits.call.stop) return sentences.stoppedCall(name, ofCall);
  const ofTool = timesOf(failures.tools, name, now);
  return ofTool >= loopLimits.tool.stop ? sentences.stoppedTool(name, ofTool) : null;
}

/**
 * Counts how a call ended, and adds a warning to what the model reads when it goes in circles. Costs nothing while calls
 * succeed and nothing has failed before.
 */
export async function countFailures(conversation: ConversationRow, attempt: Attempt, outcome: Outcome): Promise<Outcome> {
  const isFailure = outcome.status === "failed" || outcome.status === "timed_out";
  if (outcome.status !== "succeeded" && !isFailure) return outcome;
  if (!isFailure && !conversation.failures) return outcome;
  const counted = await counting(conversation.id, attempt, isFailure).catch((error) => {
    // What happened counts more than how often.
    log().warn({ err: error, conversationId: conversation.id }, "a failure was not counted");
    return null;
  });
  conversationChanged(conversation.id);
  if (!isFailure || !counted) return outcome;
  const warnings = warningsOf(counted, attempt);
  return warnings.length > 0 ? { ...outcome, text: [outcome.text, ...warnings].join("\n\n") } : outcome;
}

/** Writes down how a call ended. @returns the streaks as they are then; null when there are none. */
async function counting(conversationId: string, attempt: Attempt, isFailure: boolean): Promise<FailureStreaks | null> {
  return db().transaction(async (tx) => {
    const [row] = await tx
      .select({ failures: conversations.failures })
      .from(conversations)
      .where(eq(conversations.id, conversationId))
      .for("no key update");
    if (!row) return null;
    const counted = isFailure ? withFailure(row.failures, attempt, Date.now()) : withoutFailure(row.failures, attempt);
    await tx.update(conversations).set({ failures: counted }).where(eq(conversations.id, conversationId));
    return counted;
  });
}

function warningsOf(failures: FailureStreaks, attempt: Attempt): string[] {
  const ofCall = failures.calls[digestOf(attempt)]?.times ?? 0;
  const ofTool = failures.tools[attempt.registered.name]?.times ?? 0;
  return [
    ...(ofCall >= loopLimits.call.warn ? [sentences.failingCall(ofCall)] : []),
    ...(ofTool >= loopLimits.tool.warn && ofTool > ofCall ? [sentences.failingTool(attempt.registered.name, ofTool)] : []),
  ];
}

export function withFailure(failures: FailureStreaks | null, attempt: Attempt, now: number): FailureStreaks {
  const raise = (streaks: FailureStreaks["calls"], key: string) => ({
    ...Object.fromEntries(Object.entries(streaks).filter(([, { at }]) => now - at < forgottenAfterMs)),
    [key]: { times: timesOf(streaks, key, now) + 1, at: now },
  });
  return { calls: raise(failures?.calls ?? {}, digestOf(attempt)), tools: raise(failures?.tools ?? {}, attempt.registered.name) };
}

/** A success ends the streaks of its tool and of its call; null when none is left. */
export function withoutFailure(failures: FailureStreaks | null, attempt: Attempt): FailureStreaks | null {
  if (!failures) return null;
  const without = (streaks: FailureStreaks["calls"], key: string) =>
    Object.fromEntries(Object.entries(streaks).filter(([other]) => other !== key));
  const left = { calls: without(failures.calls, digestOf(attempt)), tools: without(failures.tools, attempt.registered.name) };
  return Object.keys(left.calls).length + Object.keys(left.tools).length > 0 ? left : null;
}

function timesOf(streaks: FailureStreaks["calls"], key: string, now: number): number {
  const streak = Object.hasOwn(streaks, key) ? streaks[key] : undefined;
  return streak && now - streak.at < forgottenAfterMs ? streak.times : 0;
}

function digestOf({ registered, arguments: args }: Attempt): string {
  return sha256(`${registered.name} ${canonicalJson(args)}`);
}
