import "server-only";
import { and, eq, gte, inArray, max, sql } from "drizzle-orm";
import { auditEvents } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { callEndEvents, usageDays } from "../call-end-events";

/** Returns when each tool was last called in the last 30 days; tools without a call are absent. */
export async function readLastUses(workspaceId: string, names: readonly string[]): Promise<Map<string, Date>> {
  if (names.length === 0) return new Map();
  const rows = await db()
    .select({ tool: auditEvents.tool, last: max(auditEvents.at) })
    .from(auditEvents)
    .where(
      and(
        eq(auditEvents.workspaceId, workspaceId),
        inArray(auditEvents.tool, [...names]),
        gte(auditEvents.at, sql`now() - make_interval(days => ${usageDays})`),
        inArray(auditEvents.event, callEndEvents),
      ),
    )
    .groupBy(auditEvents.tool);
  return new Map(rows.flatMap(({ tool, last }) => (tool !== null && last !== null ? [[tool, last] as const] : [])));
}
