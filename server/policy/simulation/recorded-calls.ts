import "server-only";
import { and, desc, eq, gte, isNotNull, lt, lte, sql } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import type { Verdict } from "@/contracts/decisions/decision";
import { agents, conversations, toolCalls, turns } from "@/db/schema";
import type { GuardContext } from "@/server/guard/call/guard-request";
import { db } from "@/server/platform/database/database";
import { idAt } from "@/server/platform/id-at";
import { contextColumns, recordedContexts, sandboxedIn } from "./recorded-context";

/** A call that the guard decided, with its context. */
export type RecordedCall = {
  id: string;
  tool: string;
  arguments: JsonObject;
  at: Date;
  verdict: Verdict;
  context: GuardContext;
};

/** A period in milliseconds since 1970, both ends included. */
export type Period = { from: number; to: number };

const rowsAtOnce = 500;

/** Reads the recorded calls of a workspace in pages, newest first, so that memory holds only one page. */
export async function* recordedCalls(workspaceId: string, period: Period, before: string | null): AsyncGenerator<RecordedCall[]> {
  const contextOf = await recordedContexts(workspaceId);
  for (let last = before; ; ) {
    const page = await readPage(workspaceId, period, last, contextOf);
    if (page.length > 0) yield page;
    if (page.length < rowsAtOnce) return;
    last = page.at(-1)?.id ?? null;
  }
}

/** Counts the recorded calls of a period, up to `upTo`. */
export async function countRecordedCalls(workspaceId: string, period: Period, upTo: number): Promise<number> {
  const some = db().select({ one: sql`1` }).from(toolCalls).where(inPeriod(workspaceId, period)).limit(upTo).as("some");
  return db().$count(some);
}

async function readPage(
  workspaceId: string,
  period: Period,
  before: string | null,
  contextOf: Awaited<ReturnType<typeof recordedContexts>>,
): Promise<RecordedCall[]> {
  const rows = await db()
    .select({
      id: toolCalls.id,
      tool: toolCalls.name,
      arguments: toolCalls.arguments,
      at: toolCalls.createdAt,
      // Only the verdict is selected, because the trace makes decisions large.
      verdict: sql<Verdict>`${toolCalls.decision} ->> 'verdict'`,
      sandboxed: sandboxedIn(toolCalls.decision),
      ...contextColumns,
    })
    .from(toolCalls)
    .innerJoin(turns, eq(turns.id, toolCalls.turnId))
    .innerJoin(conversations, eq(conversations.id, turns.conversationId))
    .innerJoin(agents, eq(agents.id, conversations.agentId))
    .where(and(inPeriod(workspaceId, period), before === null ? undefined : lt(toolCalls.id, before)))
    .orderBy(desc(toolCalls.id))
    .limit(rowsAtOnce);
  return rows.map((row) => {
    const { id, tool, arguments: args, at, verdict } = row;
    return { id, tool, arguments: args, at, verdict, context: contextOf(row) };
  });
}

function inPeriod(workspaceId: string, { from, to }: Period) {
  return and(
    eq(toolCalls.workspaceId, workspaceId),
    gte(toolCalls.id, idAt(from, "0")),
    lte(toolCalls.id, idAt(to, "f")),
    isNotNull(toolCalls.decision),
  );
}
