import "server-only";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { ConfirmedEffects } from "@/contracts/mcp/mcp-servers";
import type { ToolEffect } from "@/contracts/tools/tools";
import { tools } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { inBatches } from "@/server/tools/in-batches";
import { findServer } from "./find-server";

/**
 * Sets the effects of a server's tools as a person confirms them, all or none.
 * @param effects by the tools' names
 * @throws AppError `not_found` with a name that is no tool of the server
 */
export async function confirmEffects(
  actor: Authorized<"tools:write">,
  serverId: string,
  effects: Readonly<Record<string, ToolEffect>>,
): Promise<ConfirmedEffects> {
  return db().transaction(async (tx) => {
    const { alias } = await findServer(tx, actor.workspaceId, serverId);
    // Sorted, so that two confirmations cannot deadlock.
    const known = await tx
      .select({ id: tools.id, name: tools.name, before: tools.effectOverride })
      .from(tools)
      .where(and(eq(tools.workspaceId, actor.workspaceId), eq(tools.mcpServerId, serverId)))
      .orderBy(tools.id)
      .for("update");
    const names = new Set(known.map(({ name }) => name));
    const unknown = Object.keys(effects).find((name) => !names.has(name));
    if (unknown !== undefined) {
      const message = `is no tool of ${alias} any more. Reload the list, and confirm again`;
      throw new AppError("not_found", `effects.${unknown} ${message}.`, { errors: [{ path: `effects.${unknown}`, message }] });
    }
    const changed = known.filter(({ name, before }) => effects[name] !== undefined && effects[name] !== before);
    const alike = Map.groupBy(changed, ({ name }) => effects[name]);
    for (const [effectOverride, same] of alike) {
      for (const ids of inBatches(same.map(({ id }) => id))) {
        await tx
          .update(tools)
          .set({ effectOverride, version: sql`${tools.version} + 1` })
          .where(inArray(tools.id, ids));
      }
    }
    if (changed.length > 0) {
      await recordConfigChange(tx, {
        workspaceId: actor.workspaceId,
        event: "mcp_server.effects_confirmed",
        actor: toActorRef(actor),
        subject: alias,
        data: {
          effects: Object.fromEntries(changed.map(({ name }) => [name, effects[name] ?? null])),
          before: Object.fromEntries(changed.map(({ name, before }) => [name, before])),
        },
        requestId: actor.requestId,
      });
    }
    return { confirmed: changed.length };
  });
}
