import "server-only";
import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Erasure, ErasureDraft, ErasurePlan } from "@/contracts/audit/erasures";
import type { Db } from "@/db/client";
import { apiKeys, contacts, erasures, memberships, sessions } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { forgetActors } from "@/server/auth/actor-cache";
import { revokeKeysOf, usableKeysOf } from "@/server/auth/api-keys/revoke-api-key";
import { lockMember, refuseManaging } from "@/server/auth/members/members";
import { announceAccessEnded } from "@/server/auth/sign-in/sessions";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { allForgetting } from "@/server/platform/extension-points/forget-person";
import { newId } from "@/server/platform/ids";
import { enqueue } from "@/server/platform/queue";
import { erasureQueue } from "./erasure-queue";
import { countRows, personalTables, titleOf } from "./personal-rows";
import { type Named, nameOf, subjectOf } from "./subjects";

type Eraser = Authorized<"people:erase">;
type Row = typeof erasures.$inferSelect;

const auditEvents = "audit events";

/** Counts what the workspace holds of a person. @throws AppError `not_found` */
export async function planErasure(actor: Eraser, { kind, personId }: { kind: Named["kind"]; personId: string }): Promise<ErasurePlan> {
  const named = { workspaceId: actor.workspaceId, kind, id: personId };
  const name = await nameOf(named);
  const subject = subjectOf(named);
  const counts: Record<string, number> = {};
  const [conversations] = await db().execute<{ rows: number }>(sql`select count(*)::int as rows from (${subject.conversations}) as own`);
  counts.conversations = conversations?.rows ?? 0;
  if (kind === "member") counts["api keys that are revoked"] = await db().$count(apiKeys, usableKeysOf(actor.workspaceId, personId));
  for (const table of personalTables()) counts[titleOf(table.table)] = await countRows(table, subject);
  let refusal: string | null =
    kind === "member" && actor.id === personId ? "You cannot erase yourself. Ask another admin of the workspace." : null;
  for (const forgetting of allForgetting()) {
    Object.assign(counts, await forgetting.count(subject));
    refusal ??= (await forgetting.refusal?.(subject)) ?? null;
  }
  const { [auditEvents]: events = 0, ...others } = counts;
  return {
    kind,
    personId,
    name,
    counts: Object.fromEntries(Object.entries(others).filter(([, rows]) => rows > 0)),
    auditEvents: events,
    refusal,
  };
}

/**
 * Shuts a person out and starts the erasure, in one transaction.
 * @throws AppError `not_found`; `invalid` for another name; `conflict` while a hold keeps audit events, and for the last owner
 */
export async function startErasure(actor: Eraser, { kind, personId, confirm }: ErasureDraft): Promise<Erasure> {
  const named = { workspaceId: actor.workspaceId, kind, id: personId };
  const name = await nameOf(named);
  if (confirm.trim() !== name) {
    const message = "must be the name of the person as the plan has it";
    throw new AppError("invalid", `confirm ${message}. Nothing was erased.`, { errors: [{ path: "confirm", message }] });
  }
  if (kind === "member" && actor.id === personId)
    throw new AppError("conflict", "You cannot erase yourself. Ask another admin of the workspace.");
  for (const forgetting of allForgetting()) {
    const refusal = await forgetting.refusal?.(subjectOf(named));
    if (refusal) throw new AppError("conflict", refusal);
  }
  const row = await db().transaction((tx) => begin(tx, actor, named));
  forgetActors();
  return present(row);
}

async function begin(tx: Db, actor: Eraser, { workspaceId, kind, id }: Named): Promise<Row> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`erasure:${id}`}, 0))`);
  const isOpen = and(eq(erasures.workspaceId, workspaceId), eq(erasures.personId, id), eq(erasures.status, "running"));
  if ((await tx.$count(erasures, isOpen)) > 0)
    throw new AppError("conflict", `This ${kind} is being erased already. See GET /api/v1/erasures.`);
  await shutOut(tx, actor, { workspaceId, kind, id });
  const values = { id: newId(), workspaceId, kind, personId: id, step: "Waiting to begin", requestedBy: toActorRef(actor) };
  const [row] = await tx.insert(erasures).values(values).returning();
  if (!row) throw new Error("The erasure was not stored");
  const entry = {
    workspaceId,
    event: "person.erasure_started" as const,
    actor: toActorRef(actor),
    subject: id,
    requestId: actor.requestId,
  };
  await record(tx, { ...entry, data: { kind, erasure: row.id } });
  await enqueue(tx, erasureQueue, [{ workspaceId, input: { erasureId: row.id } }]);
  return row;
}

/** Ends the access of the person, so that nothing new comes while the rest is erased. */
async function shutOut(tx: Db, actor: Eraser, { workspaceId, kind, id }: Named): Promise<void> {
  if (kind === "contact")
    await tx
      .update(contacts)
      .set({ status: "inactive" })
      .where(and(eq(contacts.workspaceId, workspaceId), eq(contacts.id, id)));
  if (kind !== "member") return;
  const { user, role, isLastOwner } = await lockMember(tx, actor, id);
  refuseManaging(actor, { had: role });
  if (isLastOwner) throw new AppError("conflict", `${user.name} is the only owner. Make somebody else an owner first.`);
  await tx.delete(memberships).where(and(eq(memberships.workspaceId, workspaceId), eq(memberships.userId, id)));
  await tx.delete(sessions).where(and(eq(sessions.workspaceId, workspaceId), eq(sessions.userId, id)));
  await revokeKeysOf(tx, actor, id);
  await announceAccessEnded(tx);
}

export async function listErasures({ workspaceId }: Eraser, { limit, cursor }: { limit: number; cursor?: string }) {
  const before = cursor === undefined ? undefined : lt(erasures.id, decodeCursor(cursor, IdCursor)[0]);
  const found = await db()
    .select()
    .from(erasures)
    .where(and(eq(erasures.workspaceId, workspaceId), before))
    .orderBy(desc(erasures.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  return { items: rows.map(present), nextCursor };
}

/** @throws AppError `not_found` */
export async function getErasure({ workspaceId }: Eraser, id: string): Promise<Erasure> {
  const [row] = await db()
    .select()
    .from(erasures)
    .where(and(eq(erasures.workspaceId, workspaceId), eq(erasures.id, id)));
  if (!row) throw new AppError("not_found", "There is no such erasure. List the erasures of the workspace.");
  return present(row);
}

function present({ id, kind, personId, status, step, counts, auditEvents, requestedBy, createdAt, finishedAt }: Row): Erasure {
  return {
    id,
    kind,
    personId,
    status,
    step,
    counts,
    auditEvents,
    requestedBy,
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}
