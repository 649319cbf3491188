import "server-only";
import { and, count, eq, inArray, min, sql } from "drizzle-orm";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { approvals, mcpServers, turns } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { visibleTo, workItems } from "@/server/jobs/work-items";
import { db } from "@/server/platform/database/database";
import { processWide } from "@/server/platform/process-wide";
import { callRegistry } from "./call-metrics";

const processRegistry = () =>
  processWide("processMetrics", () => {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry, prefix: "handrail_" });
    return registry;
  });

/** Returns the metrics of this process, the workspace's calls on it, and the workspace's rows now, as Prometheus reads them. */
export async function renderMetrics(actor: Authorized<"metrics:read">): Promise<{ text: string; contentType: string }> {
  const now = await stateRegistry(actor.workspaceId);
  const merged = Registry.merge([processRegistry(), callRegistry(actor.workspaceId), now]);
  return { text: await merged.metrics(), contentType: merged.contentType };
}

async function stateRegistry(workspaceId: string): Promise<Registry> {
  const registry = new Registry();
  const gauge = (name: string, help: string, labelNames: string[] = []) => new Gauge({ name, help, labelNames, registers: [registry] });
  const [open, pending, servers, work] = await Promise.all([
    db()
      .select({ status: turns.status, count: count() })
      .from(turns)
      .where(and(eq(turns.workspaceId, workspaceId), inArray(turns.status, ["running", "suspended"])))
      .groupBy(turns.status),
    db()
      .select({ count: count(), seconds: sql<number>`coalesce(extract(epoch from now() - ${min(approvals.requestedAt)}), 0)::float` })
      .from(approvals)
      .where(and(eq(approvals.workspaceId, workspaceId), eq(approvals.status, "pending"))),
    db()
      .select({ status: mcpServers.status, count: count() })
      .from(mcpServers)
      .where(eq(mcpServers.workspaceId, workspaceId))
      .groupBy(mcpServers.status),
    db().execute<{ name: string; state: string; count: number }>(
      sql`select name, state, count(*)::int as count from ${workItems} as item where ${visibleTo(workspaceId)} and state <> 'completed' group by 1, 2`,
    ),
  ]);
  const turnGauge = gauge("handrail_turns", "Turns that have not ended.", ["status"]);
  for (const status of ["running", "suspended"]) turnGauge.set({ status }, open.find((row) => row.status === status)?.count ?? 0);
  gauge("handrail_approvals_pending", "Approvals that wait for a person.").set(pending[0]?.count ?? 0);
  gauge("handrail_approval_oldest_seconds", "Age of the oldest pending approval.").set(pending[0]?.seconds ?? 0);
  const serverGauge = gauge("handrail_mcp_servers", "MCP servers by status.", ["status"]);
  for (const { status, count } of servers) serverGauge.set({ status }, count);
  const workGauge = gauge("handrail_work_items", "Items of durable work that are not done.", ["queue", "state"]);
  for (const { name, state, count } of work) workGauge.set({ queue: name, state }, count);
  return registry;
}
