import "server-only";
import { and, desc, eq, lt } from "drizzle-orm";
import type { MemoryContradiction, MemoryFact, MemoryFactDraft, MemoryFactPatch } from "@/contracts/memory/memory-facts";
import type { Db } from "@/db/client";
import { memoryFacts } from "@/db/schema";
import { type Actor, toActorRef } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import {
  addFact,
  confirmFact,
  contradictedIds,
  correctFact,
  type FactRow,
  findContradictions,
  findRivals,
  readFacts,
  removeFacts,
  trustNow,
  trustOf,
} from "./facts";
import { assertAgent, assertOwner, maySee, type Page, type Reader, type Writer } from "./manage-memory";

function presentFact(row: FactRow, isContradicted: boolean): MemoryFact {
  const { id, agentId, scope, ownerKey, subject, statement, source, confirmedAt, author, createdAt, updatedAt } = row;
  return {
    ...{ id, agentId, scope, subject, statement, source, author, isContradicted },
    ownerKey: ownerKey || null,
    trust: Math.round(trustNow(row) * 100) / 100,
    confirmedAt: confirmedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

const presentOne = async (tx: Db, row: FactRow): Promise<MemoryFact> => presentFact(row, (await findRivals(tx, row)).length > 0);
const by = (actor: Actor) => ({ actor: toActorRef(actor), requestId: actor.requestId });

export async function listFacts(actor: Reader, { agentId, ownerKey, limit = 50, cursor }: Page) {
  await assertAgent(db(), actor, agentId);
  const ofAgent = and(eq(memoryFacts.agentId, agentId), ownerKey === undefined ? undefined : eq(memoryFacts.ownerKey, ownerKey));
  const found = await db()
    .select()
    .from(memoryFacts)
    .where(and(ofAgent, cursor === undefined ? undefined : lt(memoryFacts.id, decodeCursor(cursor, IdCursor)[0])))
    .orderBy(desc(memoryFacts.id))
    .limit(limit + 1);
  const contradicted = contradictedIds(await readFacts(db(), { workspaceId: actor.workspaceId, agentId, ownerKey: ownerKey ?? null }));
  const { rows, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  return { items: rows.map((row) => presentFact(row, contradicted.has(row.id))), nextCursor };
}

/** @throws AppError `not_found`, `invalid`, `conflict` */
export async function createFact(actor: Writer, { agentId, scope, ownerKey, subject, statement }: MemoryFactDraft): Promise<MemoryFact> {
  assertOwner(scope, ownerKey);
  return db().transaction(async (tx) => {
    await assertAgent(tx, actor, agentId);
    const place = { workspaceId: actor.workspaceId, agentId, scope, ownerKey: ownerKey ?? "" };
    return presentOne(tx, await addFact(tx, place, { subject, statement, source: null, trust: trustOf.person }, by(actor)));
  });
}

/** @throws AppError `not_found`, `invalid`, `conflict` */
export const updateFact = (actor: Writer, id: string, { subject, statement }: MemoryFactPatch): Promise<MemoryFact> =>
  withFact(actor, id, (tx, fact) => correctFact(tx, fact, subject, statement, by(actor)));

/** @throws AppError `not_found` */
export const confirm = (actor: Writer, id: string): Promise<MemoryFact> =>
  withFact(actor, id, (tx, fact) => confirmFact(tx, fact, { trust: trustOf.person, confirmedAt: new Date() }, by(actor)));

/** Confirms a fact and forgets those that contradict it. @throws AppError `not_found` */
export const settle = (actor: Writer, id: string): Promise<MemoryFact> =>
  withFact(actor, id, async (tx, fact) => {
    await removeFacts(tx, await findRivals(tx, fact), by(actor));
    return confirmFact(tx, fact, { trust: trustOf.person, confirmedAt: new Date() }, by(actor));
  });

/** @throws AppError `not_found` */
export async function removeFact(actor: Writer, id: string): Promise<void> {
  await withFact(actor, id, async (tx, fact) => {
    await removeFacts(tx, [fact], by(actor));
    return fact;
  });
}

/** Returns subjects of which facts say different things, of one owner with the shared ones, or of all. */
export async function listContradictions(
  actor: Reader,
  agentId: string,
  ownerKey: string | null,
): Promise<{ items: MemoryContradiction[] }> {
  await assertAgent(db(), actor, agentId);
  const groups = findContradictions(await readFacts(db(), { workspaceId: actor.workspaceId, agentId, ownerKey }));
  return { items: groups.map((facts) => ({ subject: facts[0]?.subject ?? "", facts: facts.map((fact) => presentFact(fact, true)) })) };
}

async function withFact(actor: Writer, id: string, act: (tx: Db, fact: FactRow) => Promise<FactRow>): Promise<MemoryFact> {
  return db().transaction(async (tx) => {
    const [fact] = await tx
      .select()
      .from(memoryFacts)
      .where(and(eq(memoryFacts.workspaceId, actor.workspaceId), eq(memoryFacts.id, id)))
      .for("update");
    if (!fact || !maySee(actor, fact.agentId)) throw new AppError("not_found", "This fact does not exist. It may have been forgotten.");
    return presentOne(tx, await act(tx, fact));
  });
}
