import "server-only";
import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { Decision } from "@/contracts/decisions/decision";
import type { Refusal } from "@/contracts/guard/refusals";
import type { Db } from "@/db/client";
import { approvals, conversations, toolCalls, turns } from "@/db/schema";
import { openArguments } from "@/server/audit/kept-arguments";
import { conversationChanged, rememberedConversation } from "@/server/conversations/find-conversation";
import { analyzeCall } from "@/server/guard/call/analyzed-call";
import { blameOf } from "@/server/guard/refusals/blame";
import { comparableEffects } from "@/server/guard/refusals/comparable-effects";
import { earlierRefusalStep } from "@/server/guard/refusals/earlier-refusal-step";
import { computeCallDigest } from "@/server/guard/refusals/repeated-refusal";
import { db } from "@/server/platform/database/database";
import { retryOnConflict } from "@/server/platform/database/retry-on-conflict";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { processWide } from "@/server/platform/process-wide";
import { signalOnCommit } from "@/server/platform/signals/bus";
import type { Policy } from "@/server/policy/policy";
import { toGuardContext } from "../guard-context";
import type { Outcome } from "../outcome";
import type { CallRow } from "../read/present-turn";
import type { TurnContext } from "../turn-context";

/** Maximum of refusals that a conversation remembers; the newest are kept. */
const maxRefusals = 50;

/** The question about a call that people refused. */
type RefusedQuestion = Pick<typeof approvals.$inferSelect, "status" | "comment" | "decision">;

/**
 * Converts a call that a person refused to the refusal that is remembered; null for other calls and for unknown tools. A
 * question that expired counts as refused. A denial by policy is no refusal, because the policy decides each call anew.
 */
export function toRefusal(
  context: TurnContext,
  row: CallRow,
  outcome: Pick<Outcome, "name" | "arguments">,
  { status, comment, decision }: RefusedQuestion,
): Refusal | null {
  if (status !== "rejected" && status !== "expired") return null;
  const tool = context.scope.catalog.find(outcome.name ?? row.name);
  if (!tool) return null;
  const call = { tool, arguments: outcome.arguments ?? row.arguments, context: toGuardContext(context) };
  return {
    callId: row.id,
    tool: tool.name,
    digest: computeCallDigest(call),
    touches: effectsIn(context.policy, call, decision),
    by: status === "expired" ? "expiry" : "person",
    reason: comment,
    at: sharedNowMs(),
  };
}

/**
 * Returns the targets that the question about a call was about; nothing for a call that the guard cannot read, because
 * the guard refuses it each time and its digest is remembered.
 */
function effectsIn(policy: Policy, request: Parameters<typeof analyzeCall>[0], decision: Decision): Refusal["touches"] {
  try {
    const call = analyzeCall(request, policy.sensitivePaths);
    return comparableEffects(call, blameOf(policy, call, decision));
  } catch {
    return [];
  }
}

/** Merges refusals, one for each call; the newest are kept. */
export function mergeRefusals(known: readonly Refusal[] | null, more: readonly Refusal[]): Refusal[] {
  const ids = new Set(more.map(({ callId }) => callId));
  return [...(known ?? []).filter(({ callId }) => !ids.has(callId)), ...more].slice(-maxRefusals);
}

/** Returns the ids of the refused calls whose refusals a call repeats, and which an approval of the call lifts. */
export function repeatedRefusals({ trace }: Pick<Decision, "trace">): string[] {
  return trace.filter(({ ruleName }) => ruleName === earlierRefusalStep).map(({ ruleId }) => ruleId);
}

/**
 * Stores refusals in the conversation's row, for every replica that decides its calls.
 * @param forgiven ids of refused calls that no longer count
 */
export async function rememberRefusals(
  conversationId: string,
  refusals: readonly Refusal[],
  forgiven: readonly string[] = [],
): Promise<void> {
  if (refusals.length + forgiven.length === 0) return;
  forgetLocally(conversationId, forgiven);
  await retryOnConflict(() => db().transaction((tx) => addRefusals(tx, conversationId, refusals, forgiven)));
  conversationChanged(conversationId);
}

type UnsavedRefusal = { refusals: readonly Refusal[]; until: number };

/** Lifetime of an unsaved refusal: longer than writing its row takes, and than planning one call takes. */
const freshMs = 30_000;

/** Refusals of this process that may not be in the row of their conversation yet. */
const unsavedByConversation = () => processWide("refusals.fresh", () => new LRUCache<string, UnsavedRefusal>({ max: 10_000 }));

/** Shows a refusal to all turns of this process at once, because another turn may be planned before the row is written. */
export function rememberLocally(conversationId: string, refusal: Refusal, now = Date.now()): void {
  const refusals = mergeRefusals(unsavedRefusals(conversationId, now), [refusal]);
  unsavedByConversation().set(conversationId, { refusals, until: now + freshMs });
}

function unsavedRefusals(conversationId: string, now = Date.now()): readonly Refusal[] {
  const known = unsavedByConversation().get(conversationId);
  return known && known.until > now ? known.refusals : [];
}

function forgetLocally(conversationId: string, forgiven: readonly string[]): void {
  const known = unsavedByConversation().get(conversationId);
  if (known) known.refusals = known.refusals.filter(({ callId }) => !forgiven.includes(callId));
}

/** Adds this process's unsaved refusals. Synchronous, so that no other turn is planned between this call and the decision. */
export function withUnsavedRefusals(conversationId: string, refusals: readonly Refusal[]): Refusal[] {
  return mergeRefusals(refusals, unsavedRefusals(conversationId));
}

/** Reads the refusals in the conversation's row, and calls that people refused in turns that have not resumed yet. */
export async function writtenRefusals(context: TurnContext): Promise<Refusal[]> {
  const { refusals, hasQuestions } = (await rememberedConversation(context.conversation.id)) ?? context.conversation;
  return mergeRefusals(refusals, hasQuestions ? await refusedByPeople(context) : []);
}

/** Query of refused calls whose turns have not resumed; prepared once, because each call of such a conversation runs it. */
const refusedQuery = () =>
  processWide("query.refusedByPeople", () =>
    db()
      .select({ call: toolCalls, question: { status: approvals.status, comment: approvals.comment, decision: approvals.decision } })
      .from(turns)
      .innerJoin(toolCalls, eq(toolCalls.turnId, turns.id))
      .innerJoin(approvals, eq(approvals.id, toolCalls.approvalId))
      .where(
        and(
          eq(turns.conversationId, sql.placeholder("conversationId")),
          ne(turns.id, sql.placeholder("turnId")),
          inArray(turns.status, ["running", "suspended"]),
          eq(toolCalls.status, "awaiting_approval"),
          inArray(approvals.status, ["rejected", "expired"]),
        ),
      )
      .orderBy(asc(approvals.decidedAt))
      .prepare("refused_by_people"),
  );

/** Finds the calls of other turns in the conversation whose approval was rejected or expired. */
async function refusedByPeople(context: TurnContext): Promise<Refusal[]> {
  const rows = await refusedQuery().execute({ conversationId: context.conversation.id, turnId: context.turn.id });
  return rows.flatMap(({ call, question }) => toRefusal(context, openArguments(call), {}, question) ?? []);
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
    .set({ refusals: mergeRefusals(counting, refusals) })
    .where(eq(conversations.id, conversationId));
  await signalOnCommit(tx, { topic: "conversation", conversationId });
}
