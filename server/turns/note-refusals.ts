import "server-only";
import { eq } from "drizzle-orm";
import type { Decision } from "@/contracts/decision";
import type { HookStep } from "@/contracts/hooks";
import type { Db } from "@/db/client";
import { conversations, type Refusal } from "@/db/schema";
import { conversationChanged } from "@/server/conversations/find-conversation";
import { onTrial } from "@/server/guard/call-on-trial";
import { digestOfCall } from "@/server/guard/refusals/earlier-refusal";
import { touchesOf } from "@/server/guard/refusals/touches-of";
import { earlierRefusalStep } from "@/server/guard/refusals/with-refusal";
import { afterConflicts } from "@/server/platform/after-conflicts";
import { signalOnCommit } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { callContextOf } from "./call-context";
import type { Outcome } from "./outcome";
import type { CallRow } from "./present-turn";
import type { TurnContext } from "./turn-context";

/** A conversation remembers so many refusals, the newest. */
const mostRefusals = 50;

/** What is remembered of a refused call; null for one that ended in another way, or of which nothing is known. */
export function refusalOf(context: TurnContext, row: CallRow, outcome: Outcome): Refusal | null {
  const { status } = outcome;
  if (status !== "denied" && status !== "rejected" && status !== "expired") return null;
  // A hook that could not look says nothing about what the call is for.
  if (row.hooks?.refusal && row.hooks.steps.some(couldNotLook)) return null;
  const tool = context.scope.catalog.find(outcome.name ?? row.name);
  if (!tool) return null;
  const call = { tool, arguments: outcome.arguments ?? row.arguments, context: callContextOf(context) };
  return {
    callId: row.id,
    tool: tool.name,
    digest: digestOfCall(call),
    touches: touchesIn(call),
    by: status === "denied" ? "policy" : "person",
    policyVersion: context.policy.version,
    reason: status === "denied" ? (outcome.decision?.reason ?? "") : "",
    at: Date.now(),
  };
}

const couldNotLook = ({ outcome }: HookStep): boolean => outcome === "failed" || outcome === "timed_out" || outcome === "skipped";

/** What the guard cannot read it refuses each time; the call itself is remembered. */
function touchesIn(call: Parameters<typeof onTrial>[0]): Refusal["touches"] {
  try {
    return touchesOf(onTrial(call));
  } catch {
    return [];
  }
}

/** The refusals with some more, each once, the newest kept. */
export function withMore(known: readonly Refusal[] | null, more: readonly Refusal[]): Refusal[] {
  const ids = new Set(more.map(({ callId }) => callId));
  return [...(known ?? []).filter(({ callId }) => !ids.has(callId)), ...more].slice(-mostRefusals);
}

/** The refusal that a person saw and approved the call in spite of; it counts no more. */
export function forgivenBy({ trace }: Decision): string | null {
  return trace.find(({ ruleName }) => ruleName === earlierRefusalStep)?.ruleId ?? null;
}

/**
 * Writes down what was refused, for every replica that decides calls of the conversation.
 * @param forgiven ids of refused calls that count no more
 */
export async function rememberRefusals(
  conversationId: string,
  refusals: readonly Refusal[],
  forgiven: readonly string[] = [],
): Promise<void> {
  if (refusals.length + forgiven.length === 0) return;
  await afterConflicts(() => db().transaction((tx) => addRefusals(tx, conversationId, refusals, forgiven)));
  conversationChanged(conversationId);
}

async function addRefusals(tx: Db, conversationId: string, refusals: readonly Refusal[], forgiven: readonly string[]): Promise<void> {
  const [row] = await tx
    .select({ refusals: conversations.refusals })
    .from(conversations)
    .where(eq(conversations.id, conversationId))
    .for("no key update");
  if (!row) return;
  const counting = row.refusals?.filter(({ callId }) => !forgiven.includes(callId)) ?? [];
  await tx
    .update(conversations)
    .set({ refusals: withMore(counting, refusals) })
    .where(eq(conversations.id, conversationId));
  await signalOnCommit(tx, { topic: "conversation", conversationId });
}
