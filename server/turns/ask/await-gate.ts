import "server-only";
import { and, eq, sql } from "drizzle-orm";
import type { Decision } from "@/contracts/decisions/decision";
import { approvals } from "@/db/schema";
import { approvalExpiry, askApproval } from "@/server/approvals/ask-approval";
import { maskedArguments } from "@/server/audit/kept-arguments";
import { db } from "@/server/platform/database/database";
import { storableText } from "@/server/platform/database/storable";
import { newId } from "@/server/platform/ids";
import type { GateStep } from "@/server/tools/define-tool";
import { appendEvent, type LiveTurn } from "../live-turn";
import type { ReadyCall } from "../step-data";
import type { TurnContext } from "../turn-context";
import type { CallWait } from "../waits/call-wait";
import { awaitApprovalSettled } from "./await-approval-settled";

type Gate = {
  live: LiveTurn;
  context: TurnContext;
  call: ReadyCall;
  step: GateStep;
  save: () => Promise<void>;
  whileWaiting: CallWait;
  stopped: AbortSignal;
};

const maxWords = 4_000;

/**
 * Asks approvers about a gate of a running tool and waits for the answer. Each gate is asked once, even when the tool
 * reaches it again. The gate is not passed when nobody can be asked, nobody answers in time or the call is stopped.
 * @returns `{ approved, comment }` as JSON
 */
export async function awaitGate(gate: Gate): Promise<string> {
  if (!gate.context.conversation.interactive) return answer(false, "Nobody can be asked in this conversation.");
  const approvalId = (await askedBefore(gate)) ?? (await ask(gate));
  const { status, comment } = await gate.whileWaiting("approval", () => awaitApprovalSettled(approvalId, gate.stopped));
  return answer(status === "approved", comment);
}

const answer = (approved: boolean, comment: string) => JSON.stringify({ approved, comment });

async function askedBefore({ call, step }: Gate): Promise<string | null> {
  // Masked like the gate in the approval's stored arguments, which the query compares.
  const { gate } = maskedArguments({ gate: storableText(step.approve.gate) });
  const [known] = await db()
    .select({ id: approvals.id })
    .from(approvals)
    .where(and(eq(approvals.callId, call.row.id), sql`${approvals.arguments}->>'gate' = ${String(gate)}`));
  return known?.id ?? null;
}

async function ask({ live, context, call, step, save }: Gate): Promise<string> {
  const { turn } = live;
  const gate = storableText(step.approve.gate);
  const question = storableText(step.approve.question).slice(0, maxWords);
  const options = step.approve.options.map((option) => storableText(option).slice(0, maxWords));
  const id = newId();
  const decision: Decision = {
    verdict: "require_approval",
    reason: `The secure pipeline asks: ${question}`,
    ruleId: null,
    ruleDigest: null,
    findings: [],
    trace: [],
    policyVersion: call.decision.policyVersion,
  };
  // The turn must be stored before anybody is asked about its call.
  await save();
  const expiry = await approvalExpiry(db(), turn.workspaceId);
  const expiresAt = new Date(Math.min(expiry.expiresAt.getTime(), step.expiresAt));
  await db().transaction((tx) =>
    askApproval(tx, {
      id,
      ...expiry,
      expiresAt,
      workspaceId: turn.workspaceId,
      conversationId: turn.conversationId,
      turnId: turn.id,
      callId: call.row.id,
      agent: context.agent.name,
      requestedBy: turn.requestedBy,
      tool: call.registered,
      arguments: { gate, question, options, ...call.arguments },
      decision,
      shape: gate,
      drift: [],
    }),
  );
  appendEvent(live, "approval.requested", {
    approvalId: id,
    callId: call.row.id,
    tool: call.registered.name,
    expiresAt: expiresAt.toISOString(),
  });
  await save();
  return id;
}
