import "server-only";
import { and, asc, desc, eq, inArray, lt, sql } from "drizzle-orm";
import type { Turn } from "@/contracts/turns/turns";
import type { Db } from "@/db/client";
import { approvals, conversations, toolCalls, turns } from "@/db/schema";
import type { ApprovalRow } from "@/server/approvals/settlement";
import type { Actor, Authorized } from "@/server/auth/actor";
import { findConversation, maySee, rememberedConversation } from "@/server/conversations/find-conversation";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";
import { jobsDeliveredWith } from "../deliver-jobs";
import { type CallRow, presentTurn, type TurnRow } from "./present-turn";

export type LoadedTurn = { turn: TurnRow; calls: CallRow[] };

/** One statement, because its single snapshot never shows a finished turn beside running calls. */
const withCalls = (tx: Db) =>
  tx
    .select({ turn: turns, call: toolCalls })
    .from(turns)
    .leftJoin(toolCalls, eq(toolCalls.turnId, turns.id))
    .where(eq(turns.id, sql.placeholder("id")))
    .orderBy(asc(toolCalls.position));

/** Prepared once, because building the text costs more than the query. */
const query = () => processWide("query.loadTurn", () => withCalls(db()).prepare("load_turn"));

/** Loads a turn with its calls in order; undefined when the turn does not exist. */
export const loadTurn = async (turnId: string): Promise<LoadedTurn | undefined> => loadedFrom(await query().execute({ id: turnId }));

/** Loads a turn with its calls in the caller's transaction. */
export const loadTurnIn = async (tx: Db, turnId: string): Promise<LoadedTurn | undefined> =>
  loadedFrom(await withCalls(tx).execute({ id: turnId }));

function loadedFrom(rows: readonly { turn: TurnRow; call: CallRow | null }[]): LoadedTurn | undefined {
  const [first] = rows;
  return first && { turn: first.turn, calls: rows.flatMap(({ call }) => call ?? []) };
}

/** Query of a turn, its calls and the approvals that they wait for, in one snapshot; prepared once. */
const withAnswersQuery = () =>
  processWide("query.loadAnswered", () =>
    db()
      .select({ turn: turns, call: toolCalls, approval: approvals })
      .from(turns)
      .leftJoin(toolCalls, eq(toolCalls.turnId, turns.id))
      .leftJoin(approvals, and(eq(approvals.id, toolCalls.approvalId), eq(toolCalls.status, "awaiting_approval")))
      .where(eq(turns.id, sql.placeholder("id")))
      .orderBy(asc(toolCalls.position))
      .prepare("load_answered"),
  );

/** Loads a turn with its calls, and the settled approvals of its waiting calls. */
export async function loadAnswered(turnId: string): Promise<(LoadedTurn & { answers: ApprovalRow[] }) | undefined> {
  const rows = await withAnswersQuery().execute({ id: turnId });
  const loaded = loadedFrom(rows);
  return loaded && { ...loaded, answers: rows.flatMap(({ approval }) => (approval && approval.status !== "pending" ? approval : [])) };
}

async function callsOf(tx: Db, turnIds: string[]): Promise<CallRow[]> {
  return tx.select().from(toolCalls).where(inArray(toolCalls.turnId, turnIds)).orderBy(asc(toolCalls.turnId), asc(toolCalls.position));
}

/** Checks that the actor may see a turn. @throws AppError `not_found`. */
export async function requireTurn(actor: Actor, turnId: string): Promise<void> {
  const [row] = await db()
    .select({ agentId: conversations.agentId })
    .from(turns)
    .innerJoin(conversations, eq(turns.conversationId, conversations.id))
    .where(and(eq(turns.id, turnId), eq(turns.workspaceId, actor.workspaceId)));
  if (!row || !maySee(actor, row)) throw new AppError("not_found", "This turn does not exist, or belongs to another agent's conversation.");
}

/** Returns a turn that the actor may see. */
export async function getTurn(actor: Authorized<"turns:read">, turnId: string): Promise<Turn> {
  await requireTurn(actor, turnId);
  return readTurn(turnId);
}

/** Reads a turn without checking an actor; the caller has checked already. */
export async function readTurn(turnId: string): Promise<Turn> {
  const loaded = await loadTurn(turnId);
  if (!loaded) throw new AppError("not_found", "This turn does not exist any more.");
  return withDeliveredJobs(presentTurn(loaded.turn, loaded.calls));
}

/** Adds the background jobs that were delivered with a turn. */
export async function withDeliveredJobs(turn: Turn): Promise<Turn> {
  const conversation = await rememberedConversation(turn.conversationId);
  if (!conversation?.hasJobs) return turn;
  const finishedJobs = await jobsDeliveredWith(turn.conversationId, turn.id);
  return finishedJobs.length > 0 ? { ...turn, finishedJobs } : turn;
}

type Page = { items: Turn[]; nextCursor: string | null };

/** Lists the turns of a conversation, newest first. */
export async function listTurns(
  actor: Authorized<"turns:read">,
  conversationId: string,
  { limit = 50, cursor }: { limit?: number; cursor?: string },
): Promise<Page> {
  await findConversation(actor, conversationId);
  const after = cursor ? decodeCursor(cursor, IdCursor)[0] : null;
  const found = await db()
    .select()
    .from(turns)
    .where(and(eq(turns.conversationId, conversationId), after ? lt(turns.id, after) : undefined))
    .orderBy(desc(turns.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  if (rows.length === 0) return { items: [], nextCursor };
  const calls = Map.groupBy(
    await callsOf(
      db(),
      rows.map(({ id }) => id),
    ),
    ({ turnId }) => turnId,
  );
  return { items: rows.map((turn) => presentTurn(turn, calls.get(turn.id) ?? [])), nextCursor };
}
