import "server-only";
import { and, asc, eq, inArray, isNotNull, lte, or, sql } from "drizzle-orm";
import type { Approval } from "@/contracts/approvals/approvals";
import type { JsonObject } from "@/contracts/common";
import type { CallMachine } from "@/contracts/tools/machine";
import type { Db } from "@/db/client";
import { type AskedQuestion, approvals, approvalVotes, type CallHooks, toolCalls, turns } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { processWide } from "@/server/platform/process-wide";
import { maskSecrets } from "@/server/secrets/mask-secrets";
import { mayDecide } from "./may-decide";
import type { ApprovalRow } from "./settlement";
import { toldArguments } from "./told-edit";

/**
 * Presents approvals with their votes and the hook steps of their calls, in the same order. No other code makes approvals
 * public.
 * @param actor the reader, for whom `mayDecide` is computed
 */
export async function presentApprovals(tx: Db, rows: ApprovalRow[], actor: Actor): Promise<Approval[]> {
  if (rows.length === 0) return [];
  const [only] = rows;
  if (only && rows.length === 1 && tx === db()) return [await presentOne(tx, only, actor)];
  const callIds = rows.map(({ callId }) => callId);
  const ids = rows.map(({ id }) => id);
  const [hooked, votes, escalated] = await Promise.all([
    tx
      .select({ id: toolCalls.id, hooks: toolCalls.hooks, machine: turns.machine })
      .from(toolCalls)
      .innerJoin(turns, eq(turns.id, toolCalls.turnId))
      .where(and(inArray(toolCalls.id, callIds), or(isNotNull(toolCalls.hooks), isNotNull(turns.machine)))),
    tx.select().from(approvalVotes).where(inArray(approvalVotes.approvalId, ids)).orderBy(asc(approvalVotes.id)),
    escalatedAmong(tx, rows),
  ]);
  const callOf = new Map(hooked.map(({ id, ...call }) => [id, call]));
  const votesOf = Map.groupBy(votes, ({ approvalId }) => approvalId);
  return rows.map((row) => {
    const isEscalated = escalated.has(row.id);
    const { hooks = null, machine = null } = callOf.get(row.callId) ?? {};
    return presentApproval(row, { votes: votesOf.get(row.id) ?? [], hooks, machine, isEscalated }, actor);
  });
}

/** Queries of one approval's votes and hooks; prepared once, because each decision answers with its approval. */
const votesQuery = () =>
  processWide("query.approvalVotes", () =>
    db()
      .select()
      .from(approvalVotes)
      .where(eq(approvalVotes.approvalId, sql.placeholder("id")))
      .orderBy(asc(approvalVotes.id))
      .prepare("approval_votes"),
  );
const hooksQuery = () =>
  processWide("query.approvalHooks", () =>
    db()
      .select({ hooks: toolCalls.hooks, machine: turns.machine })
      .from(toolCalls)
      .innerJoin(turns, eq(turns.id, toolCalls.turnId))
      .where(eq(toolCalls.id, sql.placeholder("id")))
      .prepare("approval_hooks"),
  );

async function presentOne(tx: Db, row: ApprovalRow, actor: Actor): Promise<Approval> {
  const [votes, [call], escalated] = await Promise.all([
    votesQuery().execute({ id: row.id }),
    hooksQuery().execute({ id: row.callId }),
    escalatedAmong(tx, [row]),
  ]);
  const { hooks = null, machine = null } = call ?? {};
  return presentApproval(row, { votes, hooks, machine, isEscalated: escalated.has(row.id) }, actor);
}

/** Returns the ids of the approvals whose escalation is due by the database's clock. */
export async function escalatedAmong(tx: Db, rows: readonly ApprovalRow[]): Promise<ReadonlySet<string>> {
  const escalating = rows.filter(({ escalatesAt }) => escalatesAt !== null).map(({ id }) => id);
  if (escalating.length === 0) return new Set();
  const due = await tx
    .select({ id: approvals.id })
    .from(approvals)
    .where(and(inArray(approvals.id, escalating), lte(approvals.escalatesAt, sql`now()`)));
  return new Set(due.map(({ id }) => id));
}

type Around = { votes: (typeof approvalVotes.$inferSelect)[]; hooks: CallHooks | null; machine: CallMachine | null; isEscalated: boolean };

function presentApproval(row: ApprovalRow, { votes, hooks, machine, isEscalated }: Around, actor: Actor): Approval {
  const { approvers, escalatesAt } = row;
  const told = toldArguments(row);
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    summary: row.summary,
    shape: row.shape,
    risk: row.risk,
    question: row.question && presentQuestion(row.question),
    turnId: row.turnId,
    callId: row.callId,
    conversationId: row.conversationId,
    agent: row.agent,
    tool: {
      name: row.toolName,
      title: row.toolTitle,
      source: row.toolSource,
      effect: row.toolEffect,
      primaryArgument: row.primaryArgument,
    },
    ...told,
    arguments: maskSecrets(told.arguments) as JsonObject,
    ...(hooks?.sent ? { sentArguments: hooks.sent } : {}),
    ...(hooks ? { hooks: hooks.steps } : {}),
    argumentsDigest: row.argumentsDigest,
    // The reason is that of the question; the effects are those of the call that runs.
    decision: row.editedDecision ? { ...row.decision, effects: row.editedDecision.effects } : row.decision,
    requestedBy: row.requestedBy,
    ...(machine ? { machine: shownMachine(machine) } : {}),
    delegators: row.delegators,
    requestedAt: row.requestedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    decidedBy: row.decidedBy,
    decidedFrom: row.decidedFrom,
    votes: votes.map(({ actor, decision, comment, at }) => ({ actor, decision, comment, at: at.toISOString() })),
    quorum: { needed: row.quorumNeeded, got: row.approvedBy.length },
    eligible: { roles: approvers?.roles ?? [], users: approvers?.users ?? [], requesterExcluded: row.requesterExcluded },
    escalation:
      approvers?.escalation && escalatesAt ? { at: escalatesAt.toISOString(), to: approvers.escalation, isDue: isEscalated } : null,
    mayDecide: mayDecide(row, actor, isEscalated),
    comment: row.comment,
    drift: row.drift,
    contents: row.contents && { files: row.contents.files.map(({ path, as }) => ({ path, as })), notFixed: row.contents.notFixed },
  };
}

function shownMachine({ client, folder, box, repository, host, user }: CallMachine): Approval["machine"] {
  return {
    ...{ client, folder, box },
    ...(repository === undefined ? {} : { repository }),
    ...(host === undefined ? {} : { host }),
    ...(user === undefined ? {} : { user }),
  };
}

/** Masks secrets in a question. The address stays whole, because its reader has to open it. */
function presentQuestion(question: AskedQuestion): AskedQuestion {
  const { url, ...rest } = question;
  return { ...(maskSecrets(rest) as AskedQuestion), ...(url ? { url } : {}) };
}
