import "server-only";
import { and, count, eq, gte, inArray, max } from "drizzle-orm";
import type { ToolUsage } from "@/contracts/tools/tools";
import { approvals, auditEvents } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { callEndEvents, callEndKinds, type EndEvent, usageDays } from "../call-end-events";
import { findTool } from "./get-tool";

const dayMs = 86_400_000;

/** Counts the calls of a tool that wait for an approval, and those that ended in the last 30 days, over the audit's index by tool. @throws AppError `not_found`. */
export async function getToolUsage(actor: Authorized<"tools:read">, idOrName: string): Promise<ToolUsage> {
  const { name } = await findTool(actor.workspaceId, idOrName);
  const waiting = and(
    eq(approvals.workspaceId, actor.workspaceId),
    eq(approvals.status, "pending"),
    eq(approvals.toolName, name),
    eq(approvals.kind, "call"),
  );
  const [rows, pending] = await Promise.all([readEnds(actor.workspaceId, name), db().$count(approvals, waiting)]);
  const sumOf = (kind?: "failure" | "refusal") =>
    rows.reduce((sum, row) => (kind === undefined || callEndKinds[row.event as EndEvent] === kind ? sum + row.calls : sum), 0);
  const last = rows.reduce<Date | null>((latest, row) => (row.last && (!latest || row.last > latest) ? row.last : latest), null);
  return {
    days: usageDays,
    calls: sumOf(),
    failures: sumOf("failure"),
    refusals: sumOf("refusal"),
    pending,
    lastUsedAt: last?.toISOString() ?? null,
  };
}

function readEnds(workspaceId: string, tool: string) {
  return db()
    .select({ event: auditEvents.event, calls: count(), last: max(auditEvents.at) })
    .from(auditEvents)
    .where(
      and(
        eq(auditEvents.workspaceId, workspaceId),
        eq(auditEvents.tool, tool),
        gte(auditEvents.at, new Date(sharedNowMs() - usageDays * dayMs)),
        inArray(auditEvents.event, callEndEvents),
      ),
    )
    .groupBy(auditEvents.event);
}
