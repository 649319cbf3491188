import "server-only";
import { maxCallsPerTurn } from "@/contracts/turns/turns";
import { readApproval } from "@/server/approvals/read-approval";
import type { ApprovalRow } from "@/server/approvals/settlement";
import { log } from "@/server/platform/log";
import type { PreparedCall } from "@/server/tools/prepare-call";
import { toCallFacts } from "../call-facts";
import type { LiveTurn } from "../live-turn";
import { type Outcome, sentences, undecidable } from "../outcome";
import { prepareRow } from "../prepare-row";
import type { CallRow } from "../read/present-turn";
import type { Plan, PlannedCall } from "../step-data";
import { loadTurnContext, type TurnContext } from "../turn-context";

/**
 * Step 2 of a turn: finds the open calls, their tools and their approvals.
 * @param answers approvals that were read with the calls; the others are queried
 */
export async function planCalls(live: LiveTurn, answers: readonly ApprovalRow[]): Promise<Plan> {
  const rows = live.calls.filter(({ status }) => status === "pending" || status === "awaiting_approval");
  let context = await loadTurnContext(live.turn);
  let prepared = rows.map((row) => prepare(context, live, row));
  // Another replica may have activated the tool a moment ago, so the stored conversation is read instead of the cached one.
  if (prepared.some((call) => "prepared" in call && call.prepared.kind === "failed" && call.prepared.isInactive)) {
    context = await loadTurnContext(live.turn, { fresh: true });
    prepared = rows.map((row) => prepare(context, live, row));
  }
  live.facts = toCallFacts(context.agent, context.scope.catalog);
  const calls: PlannedCall[] = [];
  for (const [place, row] of rows.entries()) {
    const call = prepared[place];
    if (!call) continue;
    const approval =
      row.approvalId === null ? null : (answers.find(({ id }) => id === row.approvalId) ?? (await readApproval(row.approvalId)));
    calls.push("dropped" in call ? { row, ...call } : { row, ...call, approval: approval ?? null });
  }
  return { context, calls, rows: live.calls };
}

function prepare(context: TurnContext, { calls }: LiveTurn, row: CallRow): { dropped: Outcome } | { prepared: PreparedCall } {
  if (row.position >= maxCallsPerTurn) {
    return { dropped: { callId: row.id, status: "failed", text: sentences.tooMany(calls.length) } };
  }
  try {
    return { prepared: prepareRow(context, row) };
  } catch (error) {
    log().warn({ err: error, callId: row.id }, "a call could not be prepared");
    return { dropped: undecidable(row, error) };
  }
}
