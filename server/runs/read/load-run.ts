import "server-only";
import { and, asc, desc, eq, gt, gte, lt } from "drizzle-orm";
import { z } from "zod";
import { Id } from "@/contracts/common";
import type { Run, RunFilter, RunMessage } from "@/contracts/runs/runs";
import { agents, conversations, runMessages, runs, turns } from "@/db/schema";
import type { Actor, Authorized } from "@/server/auth/actor";
import { maySee } from "@/server/conversations/find-conversation";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import type { RunRow } from "../run-row";
import { turnKeyPrefix } from "../turn-results";
import { presentMessage, presentRun } from "./present-run";

const withAgent = () => db().select({ run: runs, agent: agents.name }).from(runs).innerJoin(agents, eq(agents.id, runs.agentId));

/** Returns the row of a run that the actor may see. @throws AppError `not_found` */
export async function requireRun(actor: Actor, runId: string): Promise<RunRow> {
  const [row] = await db()
    .select()
    .from(runs)
    .where(and(eq(runs.workspaceId, actor.workspaceId), eq(runs.id, runId)));
  if (!row || !maySee(actor, row)) throw new AppError("not_found", "This run does not exist, or belongs to another agent.");
  return row;
}

/** Reads a run without checking an actor; null when it was removed. */
export async function findRun(runId: string): Promise<{ run: Run; version: number } | null> {
  const [row] = await withAgent().where(eq(runs.id, runId));
  return row ? { run: presentRun(row.run, row.agent), version: row.run.version } : null;
}

/** @throws AppError `not_found` when the run was removed meanwhile */
export async function readRun(runId: string): Promise<Run> {
  const found = await findRun(runId);
  if (!found) throw new AppError("not_found", "This run was removed with its conversation.");
  return found.run;
}

export async function getRun(actor: Authorized<"turns:read">, runId: string): Promise<Run> {
  await requireRun(actor, runId);
  return readRun(runId);
}

type Paging = { limit?: number; cursor?: string | undefined };

/** Lists the runs that the actor may see, newest first. */
export async function listRuns(
  actor: Authorized<"turns:read">,
  { agentId, conversationId, turnId, status, limit = 50, cursor }: RunFilter & Paging,
): Promise<{ items: Run[]; nextCursor: string | null }> {
  const submitter = turnId ? await findSubmitter(actor, turnId) : undefined;
  if (submitter === null) return { items: [], nextCursor: null };
  const after = cursor ? decodeCursor(cursor, IdCursor)[0] : null;
  const found = await withAgent()
    .where(
      and(
        eq(runs.workspaceId, actor.workspaceId),
        actor.agentId ? eq(runs.agentId, actor.agentId) : undefined,
        agentId ? eq(runs.agentId, agentId) : undefined,
        conversationId ? eq(runs.conversationId, conversationId) : undefined,
        submitter ? eq(runs.id, submitter) : undefined,
        status && eq(runs.status, status),
        after ? lt(runs.id, after) : undefined,
      ),
    )
    .orderBy(desc(runs.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ run }) => [run.id]);
  return { items: rows.map(({ run, agent }) => presentRun(run, agent)), nextCursor };
}

/** Returns the id of the run whose reply a turn belongs to, as the turn's key names it. The key may be anybody's text. */
async function findSubmitter(actor: Actor, turnId: string): Promise<string | null> {
  const [turn] = await db()
    .select({ key: turns.idempotencyKey, conversationId: turns.conversationId })
    .from(turns)
    .innerJoin(conversations, eq(conversations.id, turns.conversationId))
    .where(and(eq(conversations.workspaceId, actor.workspaceId), eq(turns.id, turnId)));
  const named = turn?.key?.startsWith(turnKeyPrefix) ? Id.safeParse(turn.key.slice(turnKeyPrefix.length).split(":")[0]) : null;
  if (!turn || !named?.success) return null;
  const [run] = await db()
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.id, named.data), eq(runs.conversationId, turn.conversationId)));
  return run?.id ?? null;
}

const PositionCursor = z.tuple([z.int().min(0)]);

/** Lists the messages of a run, oldest first. */
export async function listRunMessages(
  actor: Authorized<"turns:read">,
  runId: string,
  { limit = 50, cursor }: Paging,
): Promise<{ items: RunMessage[]; nextCursor: string | null }> {
  await requireRun(actor, runId);
  const after = cursor ? decodeCursor(cursor, PositionCursor)[0] : -1;
  const found = await db()
    .select()
    .from(runMessages)
    .where(and(eq(runMessages.runId, runId), gt(runMessages.position, after)))
    .orderBy(asc(runMessages.position))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ position }) => [position]);
  return { items: rows.map(presentMessage), nextCursor };
}

/** Reads the messages from a position on, without checking an actor. */
export async function messagesFrom(runId: string, position: number): Promise<RunMessage[]> {
  const rows = await db()
    .select()
    .from(runMessages)
    .where(and(eq(runMessages.runId, runId), gte(runMessages.position, position)))
    .orderBy(asc(runMessages.position));
  return rows.map(presentMessage);
}
