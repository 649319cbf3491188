import "server-only";
import { and, desc, eq, gte, isNotNull, lt, lte, sql } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import type { Verdict } from "@/contracts/decision";
import { agents, conversations, toolCalls, turns } from "@/db/schema";
import { db } from "@/server/platform/database";
import type { CallContext } from "../asked-call";
import { contextColumns, recordedContexts } from "./recorded-context";

/** A call that the guard decided about, with where it came from. */
export type RecordedCall = {
  id: string;
  tool: string;
  arguments: JsonObject;
  at: Date;
  verdict: Verdict;
  context: CallContext;
};

/** From when to when, in milliseconds since 1970, both included. */
export type Period = { from: number; to: number };

const rowsAtOnce = 500;

/** Calls of a workspace, the newest first, in pages, so that neither memory nor anybody's patience is filled with them. */
export async function* recordedCalls(workspaceId: string, period: Period, before: string | null): AsyncGenerator<RecordedCall[]> {
  const contextOf = await recordedContexts(workspaceId);
  for (let last = before; ; ) {
    const page = await readPage(workspaceId, period, last, contextOf);
    if (page.length > 0) yield page;
    if (page.length < rowsAtOnce) return;
    last = page.at(-1)?.id ?? null;
  }
}

/** How many there are, up to a number that nobody needs to know more exactly. */
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
      // The trace of a decision is much larger than what is needed of it.
      verdict: sql<Verdict>`${toolCalls.decision} ->> 'verdict'`,
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

/** The smallest or the largest id that is made in a millisecond: ids begin with their time (RFC 9562, version 7). */
function idAt(time: number, fill: "0" | "f"): string {
  const hex = Math.max(0, Math.min(time, 2 ** 48 - 1))
    .toString(16)
    .padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${fill.repeat(3)}-${fill === "0" ? "8" : "b"}${fill.repeat(3)}-${fill.repeat(12)}`;
}
