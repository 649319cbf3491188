import "server-only";
import { eq } from "drizzle-orm";
import { conversations, type FailureStreaks } from "@/db/schema";
import { type ConversationRow, conversationChanged } from "@/server/conversations/find-conversation";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database";
import { log } from "@/server/platform/log";
import { loopLimits, type Outcome, sentences } from "./outcome";
import type { ReadyCall } from "./plan-segment";

/** Time without a failure after which a streak is forgotten, because its reason may be gone. */
const forgottenAfterMs = 10 * 60_000;

type Attempt = Pick<ReadyCall, "registered" | "arguments">;

/** Returns the refusal of a call that failed too often in a row with these arguments; null when the call may run. */
export function whyStopped(failures: FailureStreaks | null, attempt: Attempt, now: number = Date.now()): string | null {
  if (!failures) return null;
  const times = timesOf(failures.calls, keyOf(attempt), now);
  return times >= loopLimits.call.stop ? sentences.stoppedCall(attempt.registered.name, times) : null;
}

/** Forgets all failures, because a person who says "try again" may know that the reason is gone. */
export async function forgetFailures(conversation: ConversationRow): Promise<ConversationRow> {
  if (!conversation.failures) return conversation;
  await db().update(conversations).set({ failures: null }).where(eq(conversations.id, conversation.id));
  conversationChanged(conversation.id);
  return { ...conversation, failures: null };
}

/**
 * Counts the end of a call, and adds a warning to the result when the model repeats failing calls. Queries nothing
 * while calls succeed and there are no earlier failures.
 */
export async function countFailures(conversation: ConversationRow, attempt: Attempt, outcome: Outcome): Promise<Outcome> {
  // A command that ran and failed, such as a test (`isAnswer`), is repeated after each change, which is no loop.
  const isFailure = (outcome.status === "failed" && !outcome.isAnswer) || outcome.status === "timed_out";
  if (outcome.status !== "succeeded" && !outcome.isAnswer && !isFailure) return outcome;
  if (!isFailure && !conversation.failures) return outcome;
  const counted = await counting(conversation.id, attempt, isFailure).catch((error) => {
    // A failure to count must not lose the outcome.
    log().warn({ err: error, conversationId: conversation.id }, "a failure was not counted");
    return null;
  });
  conversationChanged(conversation.id);
  if (!isFailure || !counted) return outcome;
  const warnings = warningsOf(counted, attempt);
  if (warnings.length === 0) return outcome;
  const added = `\n\n${warnings.join("\n\n")}`;
  return { ...outcome, text: outcome.text + added, ...(outcome.sections ? { sections: [...outcome.sections, added] } : {}) };
}

/** Stores the end of a call in the failure streaks. @returns the new streaks; null when there are none */
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
  const ofCall = failures.calls[keyOf(attempt)]?.times ?? 0;
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
  return { calls: raise(failures?.calls ?? {}, keyOf(attempt)), tools: raise(failures?.tools ?? {}, attempt.registered.name) };
}

/** Removes the streaks of a tool and of all its calls after a success, because the tool works again; null when no streak is left. */
export function withoutFailure(failures: FailureStreaks | null, { registered: { name } }: Attempt): FailureStreaks | null {
  if (!failures) return null;
  const without = (streaks: FailureStreaks["calls"], isOver: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(streaks).filter(([key]) => !isOver(key)));
  const left = {
    calls: without(failures.calls, (key) => key.startsWith(`${name} `)),
    tools: without(failures.tools, (key) => key === name),
  };
  return Object.keys(left.calls).length + Object.keys(left.tools).length > 0 ? left : null;
}

function timesOf(streaks: FailureStreaks["calls"], key: string, now: number): number {
  const streak = Object.hasOwn(streaks, key) ? streaks[key] : undefined;
  return streak && now - streak.at < forgottenAfterMs ? streak.times : 0;
}

function keyOf({ registered, arguments: args }: Attempt): string {
  return `${registered.name} ${sha256(canonicalJson(args))}`;
}
