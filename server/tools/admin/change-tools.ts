import "server-only";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import type { ToolsChange, ToolsChanged } from "@/contracts/tools/tools";
import { tools } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { loadTools } from "../catalog";
import { inBatches } from "../in-batches";
import type { RegisteredTool } from "../registered-tool";
import { toolRefusal } from "./tool-refusal";

/**
 * Enables, disables or re-tiers many tools in one transaction. A tool that cannot be changed is refused by name and stays
 * unchanged; the others change.
 */
export async function changeTools(actor: Authorized<"tools:write">, change: ToolsChange): Promise<ToolsChanged> {
  const { enabled, tier } = change;
  const registered = await loadTools(actor.workspaceId);
  const byName = new Map(registered.flatMap((tool) => [[tool.name, tool] as const, [tool.id, tool] as const]));
  const refused: ToolsChanged["refused"] = [];
  const wanted = new Map<string, RegisteredTool>();
  for (const asked of new Set(change.tools)) {
    const tool = byName.get(asked);
    if (!tool) {
      refused.push({ tool: asked, code: "not_found", reason: `There is no tool ${asked} in this workspace.` });
      continue;
    }
    const refusal = toolRefusal(tool, { ...(enabled === undefined ? {} : { enabled }), ...(tier ? { disclosureTier: tier } : {}) });
    if (refusal) refused.push({ tool: tool.name, code: refusal.code, reason: refusal.message });
    else if (enabled === undefined ? tool.tier !== tier : tool.enabled !== enabled) wanted.set(tool.id, tool);
  }
  const changed = [...wanted.values()];
  if (changed.length > 0) {
    await db().transaction(async (tx) => {
      // Sorted by id, so that two changes of the same tools cannot deadlock.
      const ids = changed.map(({ id }) => id).sort();
      for (const batch of inBatches(ids)) {
        await tx
          .select({ id: tools.id })
          .from(tools)
          .where(and(eq(tools.workspaceId, actor.workspaceId), inArray(tools.id, batch)))
          .orderBy(tools.id)
          .for("update");
        await tx
          .update(tools)
          .set({ ...(enabled === undefined ? { disclosureTier: tier } : { enabled }), version: sql`${tools.version} + 1` })
          .where(and(eq(tools.workspaceId, actor.workspaceId), inArray(tools.id, batch)));
      }
      const entries = changed.map((tool) => ({
        workspaceId: actor.workspaceId,
        event: enabled === undefined ? ("tool.tier_changed" as const) : ("tool.updated" as const),
        actor: toActorRef(actor),
        subject: tool.name,
        tool: tool.name,
        data: {
          ...(enabled === undefined ? { tier: tier ?? null } : { enabled }),
          before: { enabled: tool.enabled, tier: tool.tier },
        } satisfies JsonObject,
        requestId: actor.requestId,
      }));
      for (const batch of inBatches(entries)) await recordConfigChange(tx, ...batch);
    });
  }
  return { changed: changed.map(({ name }) => name), refused };
}
