import "server-only";
import { and, eq, gte, isNull, lt, ne, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { ApprovalFilter, approvalSorts } from "@/contracts/approvals/approvals";
import { approvals } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { decodeCursor, IdCursor } from "@/server/platform/database/cursor";

/** Returns the condition for the approvals of the actor's workspace that match a filter. */
export function approvalCondition(actor: Actor, filter: ApprovalFilter): SQL | undefined {
  return and(
    eq(approvals.workspaceId, actor.workspaceId),
    filter.status ? eq(approvals.status, filter.status) : undefined,
    filter.isDecided ? ne(approvals.status, "pending") : undefined,
    filter.kind ? eq(approvals.kind, filter.kind) : undefined,
    filter.tool ? eq(approvals.toolName, filter.tool) : undefined,
    filter.agent ? eq(approvals.agent, filter.agent) : undefined,
    filter.risk ? eq(approvals.risk, filter.risk) : undefined,
    filter.ruleId ? (filter.ruleId === "none" ? isNull(approvals.ruleId) : eq(approvals.ruleId, filter.ruleId)) : undefined,
    filter.shape === undefined ? undefined : eq(approvals.shape, filter.shape),
    ...wordsIn(filter.query),
    filter.decidedBy ? sql`${approvals.decidedBy} ->> 'id' = ${filter.decidedBy}` : undefined,
    filter.from ? gte(approvals.requestedAt, new Date(filter.from)) : undefined,
    filter.to ? lt(approvals.requestedAt, new Date(filter.to)) : undefined,
    filter.mine ? decidableBy(actor) : undefined,
    filter.turnId ? eq(approvals.turnId, filter.turnId) : undefined,
    filter.conversationId ? eq(approvals.conversationId, filter.conversationId) : undefined,
  );
}

/** Requires each word of the query as a substring; `%` and `_` are ordinary characters. */
function wordsIn(query = ""): SQL[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return words.map((word) => sql`position(${word} in ${approvals.searchText}) > 0`);
}

/** Whether the escalation is due, so that its approvers may decide too. */
export const isEscalatedSql = sql<boolean>`coalesce(${approvals.escalatesAt} <= now(), false)`;

/** Returns `mayDecide` as an SQL condition, so that the database filters the rows. */
function decidableBy(actor: Actor): SQL | undefined {
  if (!actor.permissions.has("approvals:decide")) return sql`false`;
  const isAskedBy = (id: string) => sql`${approvals.requestedBy} ->> 'id' = ${id}`;
  const isAmong = (people: SQL) => sql`(
    (jsonb_array_length(${people} -> 'roles') = 0 and jsonb_array_length(${people} -> 'users') = 0)
    or ${people} -> 'roles' @> ${JSON.stringify([actor.role ?? "none"])}::jsonb
    or ${people} -> 'users' @> ${JSON.stringify([{ id: actor.id }])}::jsonb)`;
  return and(
    eq(approvals.status, "pending"),
    sql`not (${isAskedBy(actor.personId)} and ${approvals.requesterExcluded})`,
    actor.type === "user" ? undefined : sql`not (${isAskedBy(actor.id)})`,
    sql`(${approvals.approvers} is null or ${isAmong(sql`${approvals.approvers}`)}
      or (${isEscalatedSql} and jsonb_typeof(${approvals.approvers} -> 'escalation') = 'object' and ${isAmong(sql`(${approvals.approvers} -> 'escalation')`)}))`,
    sql`not (${approvals.approvedBy} && array[${actor.personId}, ${actor.id}])`,
  );
}

type Sort = (typeof approvalSorts)[number];

const ExpiryCursor = z.tuple([z.iso.datetime(), z.uuid()]);

/** Sort orders of a list, with the condition after a cursor and the cursor keys of a row. UUIDv7 ids sort by request time. */
export const approvalOrders: Record<
  Sort,
  { by: SQL[]; after: (cursor: string) => SQL; keyOf: (row: { id: string; expiresAt: Date }) => string[] }
> = {
  newest: {
    by: [sql`${approvals.id} desc`],
    after: (cursor) => lt(approvals.id, decodeCursor(cursor, IdCursor)[0]),
    keyOf: ({ id }) => [id],
  },
  expires: {
    by: [sql`${approvals.expiresAt}`, sql`${approvals.id}`],
    after: (cursor) => {
      const [expiresAt, id] = decodeCursor(cursor, ExpiryCursor);
      return sql`(${approvals.expiresAt}, ${approvals.id}) > (${expiresAt}::timestamptz, ${id}::uuid)`;
    },
    keyOf: ({ expiresAt, id }) => [expiresAt.toISOString(), id],
  },
};
