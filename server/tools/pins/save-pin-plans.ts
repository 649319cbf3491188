import "server-only";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import type { Db } from "@/db/client";
import { mcpServers, toolChanges, type tools } from "@/db/schema";
import { type AuditEntry, record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { publishEvents } from "@/server/platform/extension-points/outbox";
import { newId } from "@/server/platform/ids";
import { signalOnCommit } from "@/server/platform/signals/bus";
import { inBatches } from "../in-batches";
import { differingParts } from "./differing-parts";
import type { PinPlan } from "./plan-pin";

type ToolRow = typeof tools.$inferSelect;
type ServerTools = { workspaceId: string; mcpServerId: string };

/**
 * Stores the questions about changed definitions, withdraws those of tools that are back at their pins or gone, and
 * records both. Gives each quarantined tool the id of its change.
 */
export async function savePinPlans(
  tx: Db,
  { workspaceId, mcpServerId }: ServerTools,
  plans: ReadonlyMap<string, PinPlan>,
  { known, removed }: { known: ReadonlyMap<string, Pick<ToolRow, "changeId">>; removed: readonly ToolRow[] },
): Promise<void> {
  const entries: AuditEntry[] = [];
  const base = { workspaceId, actor: systemActor };
  const asked: (typeof toolChanges.$inferInsert)[] = [];
  const rewritten: typeof asked = [];
  for (const [toolName, { ask, isRestored, columns }] of plans) {
    if (isRestored)
      entries.push({ ...base, event: "tool.pin_restored", subject: toolName, tool: toolName, data: { hash: columns.pinHash } });
    if (!ask) continue;
    const { kind, before, after, renamedFrom } = ask;
    const row = { workspaceId, mcpServerId, toolName, kind, before, after, renamedFrom };
    if (columns.changeId === null) {
      columns.changeId = newId();
      asked.push({ ...row, id: columns.changeId });
    } else rewritten.push({ ...row, id: columns.changeId });
    const data: JsonObject = {
      kind,
      renamedFrom,
      parts: differingParts(before, after),
      before: before && { hash: before.hash, description: before.description, annotations: before.annotations },
      after: { hash: after.hash, description: after.description, annotations: after.annotations },
      findings: after.findings.map(({ check, severity, place }) => ({ check, severity, place })),
    };
    entries.push({ ...base, event: "tool.quarantined", subject: toolName, tool: toolName, data });
  }
  for (const { id = "", ...change } of rewritten) {
    await tx
      .update(toolChanges)
      .set({ ...change, seenAt: sql`now()` })
      .where(eq(toolChanges.id, id));
  }
  for (const batch of inBatches(asked)) await tx.insert(toolChanges).values(batch);
  const withdrawn = [
    ...removed.flatMap(({ quarantine, changeId }) => (quarantine === "pending" ? (changeId ?? []) : [])),
    ...[...plans].flatMap(([name, { isRestored }]) => (isRestored ? (known.get(name)?.changeId ?? []) : [])),
  ];
  for (const batch of inBatches(withdrawn)) {
    await tx.delete(toolChanges).where(and(inArray(toolChanges.id, batch), eq(toolChanges.status, "pending")));
  }
  for (const batch of inBatches(entries)) await record(tx, ...batch);
  await announce(tx, { workspaceId, mcpServerId }, entries, withdrawn.length > 0);
}

/** Names of tools in one webhook event. */
const maxNamesTold = 100;

async function announce(tx: Db, { workspaceId, mcpServerId }: ServerTools, entries: readonly AuditEntry[], isLess: boolean): Promise<void> {
  const names = entries.flatMap(({ event, tool }) => (event === "tool.quarantined" && tool ? [tool] : []));
  if (names.length > 0) {
    const [server] = await tx.select({ alias: mcpServers.alias }).from(mcpServers).where(eq(mcpServers.id, mcpServerId));
    const payload = { server: server?.alias ?? null, tools: names.slice(0, maxNamesTold), count: names.length };
    await publishEvents(tx, [{ workspaceId, event: "tool.quarantined", payload }]);
  }
  if (names.length > 0 || isLess) {
    await signalOnCommit(tx, { topic: "tool_change", workspaceId, event: names.length > 0 ? "tool.quarantined" : "tool.pin_decided" });
  }
}
