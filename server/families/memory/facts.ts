import "server-only";
import { and, desc, eq, ne } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import { trustHalfLifeDays } from "@/contracts/memory/memory-facts";
import type { Db } from "@/db/client";
import { memoryFacts } from "@/db/schema";
import { record } from "@/server/audit/record";
import { AppError } from "@/server/platform/errors";
import { tokenize } from "@/server/retrieval/tokenize";
import { assertText } from "./assert-text";
import { dropEmbeddings, factText } from "./embedded-texts";
import { isVisible, type MemoryPlace, type MemoryView, ownerColumn } from "./owner";

export type FactRow = typeof memoryFacts.$inferSelect;
type By = { actor: ActorRef; requestId?: string | null };
type NewFact = { subject: string; statement: string; source: string | null; trust: number };

/** Trust in a fact by its origin; a person's confirmation makes it 1. */
export const trustOf = { agent: 0.6, extraction: 0.5, person: 1 } as const;
/** Facts with less trust are not told to the agent unless it asks for them. */
export const leastTrust = 0.15;
const maxFacts = 1_000;
const dayMs = 86_400_000;

const wordsOf = (text: string): string => [...new Set(tokenize(text))].sort().join(" ") || text.trim().toLowerCase();

/** Returns the trust in a fact now, by whole days, so that a day's prompts stay equal. */
export const trustNow = ({ trust, trustedAt }: Pick<FactRow, "trust" | "trustedAt">, now = Date.now()): number =>
  trust * 0.5 ** (Math.max(0, Math.floor((now - trustedAt.getTime()) / dayMs)) / trustHalfLifeDays);

/** Returns the facts that an agent may read for an owner, newest first. */
export const readFacts = (tx: Db, view: MemoryView): Promise<FactRow[]> =>
  tx
    .select()
    .from(memoryFacts)
    .where(isVisible(memoryFacts, view))
    .orderBy(desc(memoryFacts.updatedAt), desc(memoryFacts.id))
    .limit(maxFacts);

const placeOf = ({ agentId, scope, ownerKey, subjectKey }: Pick<FactRow, "agentId" | "scope" | "ownerKey" | "subjectKey">) =>
  `${agentId}\n${scope}\n${ownerKey}\n${subjectKey}`;

/** Groups facts that say different things of one subject of one memory; the most trusted first. */
export function findContradictions(facts: readonly FactRow[]): FactRow[][] {
  const groups = [...Map.groupBy(facts, placeOf).values()].filter((group) => group.length > 1);
  return groups.map((group) => group.toSorted((a, b) => trustNow(b) - trustNow(a) || (a.id < b.id ? -1 : 1)));
}

/** Returns the ids of facts that others contradict. */
export const contradictedIds = (facts: readonly FactRow[]): ReadonlySet<string> =>
  new Set(findContradictions(facts).flatMap((group) => group.map(({ id }) => id)));

/**
 * Adds a fact. The same statement again raises the trust in it; another statement of the same subject stands beside it, as a
 * contradiction for a person.
 */
export async function addFact(
  tx: Db,
  { workspaceId, agentId, scope, ownerKey }: MemoryPlace,
  { subject, statement, source, trust }: NewFact,
  { actor, requestId = null }: By,
): Promise<FactRow> {
  assertText("subject", subject, actor);
  assertText("statement", statement, actor);
  const [now, subjectKey] = [new Date(), wordsOf(subject)];
  const ofPlace = and(
    eq(memoryFacts.agentId, agentId),
    eq(memoryFacts.scope, scope),
    eq(memoryFacts.ownerKey, ownerColumn(scope, ownerKey)),
  );
  const known = await tx
    .select()
    .from(memoryFacts)
    .where(and(ofPlace, eq(memoryFacts.subjectKey, subjectKey)));
  const same = known.find((fact) => wordsOf(fact.statement) === wordsOf(statement));
  const confirmedAt = trust === trustOf.person ? now : null;
  if (same)
    return confirmFact(
      tx,
      same,
      { trust: Math.max(trust, trustNow(same)), confirmedAt: confirmedAt ?? same.confirmedAt },
      { actor, requestId },
    );
  if ((await tx.$count(memoryFacts, ofPlace)) >= maxFacts) {
    throw new AppError("conflict", "A memory has at most 1,000 facts of one owner. Forget some first.");
  }
  const [row] = await tx
    .insert(memoryFacts)
    .values({
      ...{ workspaceId, agentId, scope, subject, subjectKey, statement, source, trust, confirmedAt },
      ownerKey: ownerColumn(scope, ownerKey),
      trustedAt: now,
      author: actor,
    })
    // Two conversations may state the same thing at once.
    .onConflictDoUpdate({
      target: [memoryFacts.agentId, memoryFacts.scope, memoryFacts.ownerKey, memoryFacts.subjectKey, memoryFacts.statement],
      set: { trustedAt: now, updatedAt: now },
    })
    .returning();
  if (!row) throw new Error("An upsert returned no row");
  await tell(tx, "memory_fact.added", row, { actor, requestId });
  return row;
}

/** Sets the trust in a fact from now on. */
export async function confirmFact(
  tx: Db,
  { id }: FactRow,
  { trust, confirmedAt }: { trust: number; confirmedAt: Date | null },
  by: By,
): Promise<FactRow> {
  const [row] = await tx.update(memoryFacts).set({ trust, trustedAt: new Date(), confirmedAt }).where(eq(memoryFacts.id, id)).returning();
  if (!row) throw new AppError("not_found", "This fact does not exist. It may have been forgotten.");
  await tell(tx, "memory_fact.confirmed", row, by);
  return row;
}

/** Corrects a fact in a person's words, which confirms it. @throws AppError `conflict` for a statement that is there already */
export async function correctFact(tx: Db, before: FactRow, subject: string, statement: string, by: By): Promise<FactRow> {
  assertText("subject", subject, by.actor);
  assertText("statement", statement, by.actor);
  const subjectKey = wordsOf(subject);
  const { agentId, scope, ownerKey, id } = before;
  const taken = and(
    eq(memoryFacts.agentId, agentId),
    eq(memoryFacts.scope, scope),
    eq(memoryFacts.ownerKey, ownerKey),
    eq(memoryFacts.subjectKey, subjectKey),
    eq(memoryFacts.statement, statement),
    ne(memoryFacts.id, id),
  );
  if ((await tx.$count(memoryFacts, taken)) > 0) {
    throw new AppError("conflict", "statement: another fact says this already. Confirm that one, and forget this one.");
  }
  const now = new Date();
  await dropEmbeddings(tx, before.workspaceId, [factText(before)]);
  const [row] = await tx
    .update(memoryFacts)
    .set({ subject, subjectKey, statement, trust: trustOf.person, trustedAt: now, confirmedAt: now })
    .where(eq(memoryFacts.id, id))
    .returning();
  if (!row) throw new AppError("not_found", "This fact does not exist. It may have been forgotten.");
  await tell(tx, "memory_fact.updated", row, by);
  return row;
}

/** Forgets facts. @returns those that were there */
export async function removeFacts(tx: Db, facts: readonly FactRow[], by: By): Promise<FactRow[]> {
  const removed: FactRow[] = [];
  for (const { id } of facts) {
    const [row] = await tx.delete(memoryFacts).where(eq(memoryFacts.id, id)).returning();
    if (!row) continue;
    removed.push(row);
    await dropEmbeddings(tx, row.workspaceId, [factText(row)]);
    await tell(tx, "memory_fact.removed", row, by);
  }
  return removed;
}

/** Facts that say something else of the same subject in the same memory. */
export const findRivals = (tx: Db, { agentId, scope, ownerKey, subjectKey, id }: FactRow): Promise<FactRow[]> =>
  tx
    .select()
    .from(memoryFacts)
    .where(
      and(
        eq(memoryFacts.agentId, agentId),
        eq(memoryFacts.scope, scope),
        eq(memoryFacts.ownerKey, ownerKey),
        eq(memoryFacts.subjectKey, subjectKey),
        ne(memoryFacts.id, id),
      ),
    );

type FactEvent = "memory_fact.added" | "memory_fact.updated" | "memory_fact.confirmed" | "memory_fact.removed";

/** A fact's statement is personal, so the audit has its scope and trust only. */
async function tell(tx: Db, event: FactEvent, { workspaceId, id, agentId, scope, trust }: FactRow, by: By): Promise<void> {
  await record(tx, { workspaceId, event, ...by, subject: id, agent: agentId, data: { scope, trust } });
}
