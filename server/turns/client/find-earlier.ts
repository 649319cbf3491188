import "server-only";
import { and, desc, eq, gt, isNotNull, isNull, or, sql } from "drizzle-orm";
import { toolCalls, turns } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";
import { forgetKeyed } from "../keyed-turns";
import { isFinal } from "../live-turn";
import { isWatchedElsewhere, isWatchedHere } from "../read/watch-turns";

/** A call as its client sends it again: by its id, or by what it does. */
export type SentAgain = {
  conversationId: string;
  /** The client's id of the call; null when the client has none. */
  id: string | null;
  digest: string;
};

/** Time within which an equal call without an id counts as the same one. */
const sameWithinSeconds = 60;

/**
 * Finds the turn of a call that its client sends again. A call with a new id takes over an equal one that waits for a person
 * and for which nobody waits any more: the client's connection broke, its model sends the call anew, and people must not be
 * asked twice.
 * @throws AppError `idempotency_mismatch` for another call under the same id
 */
export async function findEarlierCall({ conversationId, id, digest }: SentAgain): Promise<string | null> {
  if (id === null) return (await equalCalls().execute({ conversationId, digest })).find(isSameWithoutId)?.turnId ?? null;
  const found = await namedAndWaiting().execute({ conversationId, id, digest });
  const named = found.find(({ key }) => key === id);
  if (named && named.digest !== digest) {
    throw new AppError(
      "idempotency_mismatch",
      `The call id "${id}" was used for another call of this session. Send each call with an id of its own.`,
    );
  }
  if (named) return named.turnId;
  for (const turn of found) {
    if (!isAbandoned(turn) || !(await takeOver(turn, id))) continue;
    if (turn.key !== null) forgetKeyed({ conversationId, idempotencyKey: turn.key });
    return turn.turnId;
  }
  return null;
}

const selectCall = () =>
  db()
    .select({
      turnId: turns.id,
      key: turns.idempotencyKey,
      digest: turns.requestDigest,
      version: turns.version,
      status: toolCalls.status,
      deliveredAt: toolCalls.deliveredAt,
    })
    .from(turns)
    .innerJoin(toolCalls, eq(toolCalls.turnId, turns.id));
const inConversation = () => eq(turns.conversationId, sql.placeholder("conversationId"));
const isEqual = () => and(isNotNull(turns.machine), eq(turns.requestDigest, sql.placeholder("digest")));

/** Equal calls of now, and those that still wait, however old; the newest first. */
const equalCalls = () =>
  processWide("query.equalClientCalls", () => {
    const isRecent = gt(turns.createdAt, sql`now() - make_interval(secs => ${sameWithinSeconds})`);
    return selectCall()
      .where(and(inConversation(), isEqual(), or(eq(turns.status, "suspended"), isRecent)))
      .orderBy(desc(turns.id))
      .prepare("equal_client_calls");
  });

/** The call with this id, and equal ones of which nobody was told. Prepared, because every call of a client asks. */
const namedAndWaiting = () =>
  processWide("query.namedAndWaitingClientCalls", () => {
    const isNamed = eq(turns.idempotencyKey, sql.placeholder("id"));
    const isUntold = and(eq(turns.status, "suspended"), isNull(toolCalls.deliveredAt));
    return selectCall()
      .where(and(inConversation(), isNamed))
      .unionAll(selectCall().where(and(inConversation(), isEqual(), isUntold)))
      .orderBy(desc(turns.id))
      .prepare("named_and_waiting_client_calls");
  });

type Found = { turnId: string; version: number; status: (typeof toolCalls.$inferSelect)["status"]; deliveredAt: Date | null };

/** A refusal is told again; a call that has run may be meant anew. */
const isSameWithoutId = ({ status }: Found): boolean =>
  !isFinal({ status }) || status === "denied" || status === "rejected" || status === "expired";

/** Nobody waits for the answer, and nobody was told of a release. */
const isAbandoned = ({ turnId, status, deliveredAt }: Found): boolean =>
  (status === "awaiting_approval" || (status === "released" && deliveredAt === null)) &&
  !isWatchedHere(turnId) &&
  !isWatchedElsewhere(turnId);

/** Gives a call its new id, so that the earlier one finds it no more. @returns false when the turn changed meanwhile */
async function takeOver({ turnId, version }: Found, id: string): Promise<boolean> {
  return db().transaction(async (tx) => {
    const isOurs = and(eq(turns.id, turnId), eq(turns.version, version), eq(turns.status, "suspended"));
    const taken = await tx
      .update(turns)
      .set({ idempotencyKey: id, version: version + 1 })
      .where(isOurs)
      .returning({ id: turns.id });
    if (taken.length === 0) return false;
    await tx.update(toolCalls).set({ runtimeId: id }).where(eq(toolCalls.turnId, turnId));
    return true;
  });
}
