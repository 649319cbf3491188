import "server-only";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { tools, workspaces } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database";
import { builtinTools } from "./builtin";
import type { AnyTool } from "./define-tool";
import { providerTools } from "./provider/provider-tools";

type Source = { workspaceId: string; mcpServerId: string | null };
type Listed = Omit<typeof tools.$inferInsert, "id" | "createdAt" | "updatedAt" | "version">;

/** What is compared to see whether a tool changed: the call's shape, not its wording. */
export function schemaHashOf(inputSchema: AnyTool["inputSchema"]): string {
  return sha256(canonicalJson(inputSchema));
}

/**
 * Upserts the rows of one source. What the source says is refreshed; what admins decided (enabled, tier, timeout,
 * description) is kept; rows that are no longer listed are removed. Answers the names that changed.
 */
export async function syncTools(
  tx: Db,
  source: Source,
  listed: readonly AnyTool[],
): Promise<{ added: string[]; changed: string[]; removed: string[] }> {
  const known = await tx.select().from(tools).where(ofSource(source));
  const knownByName = new Map(known.map((row) => [row.name, row]));
  const wanted = new Map(listed.map((tool) => [tool.name, listedRow(source, tool)]));

  const added = [...wanted.values()].filter((row) => !knownByName.has(row.name));
  const changed = [...wanted.values()].filter((row) => {
    const before = knownByName.get(row.name);
    return (
      before && Object.entries(row).some(([column, value]) => canonicalJson(before[column as keyof typeof before]) !== canonicalJson(value))
    );
  });
  const removed = known.filter((row) => !wanted.has(row.name));

  const offAtFirst = new Set(listed.filter(({ disabledAtFirst }) => disabledAtFirst).map(({ name }) => name));
  if (added.length > 0) await tx.insert(tools).values(added.map((row) => ({ ...row, enabled: !offAtFirst.has(row.name) })));
  for (const row of changed) {
    await tx
      .update(tools)
      .set({ ...row, version: sql`${tools.version} + 1` })
      .where(and(eq(tools.workspaceId, source.workspaceId), eq(tools.name, row.name)));
  }
  if (removed.length > 0) {
    await tx.delete(tools).where(
      inArray(
        tools.id,
        removed.map(({ id }) => id),
      ),
    );
  }
  if (added.length + changed.length + removed.length > 0) await bumpConfigVersion(tx, source.workspaceId);
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name).sort();
  return { added: names(added), changed: names(changed), removed: names(removed) };
}

/** Says whether a source's tools can be called now; the rows stay, so that nothing moves while a server restarts. */
export async function markAvailability(
  tx: Db,
  source: { workspaceId: string; mcpServerId: string },
  availability: "available" | "unavailable" | "stale",
  reason: string | null,
): Promise<void> {
  await tx.update(tools).set({ availability, availabilityReason: reason }).where(ofSource(source));
}

/** Brings the rows of the builtin tools of every workspace up to this version of the product. */
export async function syncBuiltinTools(): Promise<void> {
  const all = await db().select({ id: workspaces.id }).from(workspaces);
  for (const { id } of all) {
    await db().transaction(async (tx) => {
      // Replicas that start together take turns.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sync-tools:${id}`}, 0))`);
      await syncTools(tx, { workspaceId: id, mcpServerId: null }, [...builtinTools, ...providerTools]);
    });
  }
}

function ofSource({ workspaceId, mcpServerId }: Source) {
  return and(eq(tools.workspaceId, workspaceId), mcpServerId ? eq(tools.mcpServerId, mcpServerId) : isNull(tools.mcpServerId));
}

function listedRow({ workspaceId, mcpServerId }: Source, tool: AnyTool): Listed {
  return {
    workspaceId,
    mcpServerId,
    name: tool.name,
    title: tool.title,
    description: tool.description,
    source: tool.source,
    rawName: tool.rawName,
    family: tool.family,
    effect: tool.effect,
    concurrencySafe: tool.concurrencySafe,
    idempotent: tool.idempotent,
    backgroundable: tool.backgroundable,
    mode: tool.mode,
    dangerous: tool.dangerous,
    needs: [...tool.needs],
    aliases: [...tool.aliases],
    primaryArgument: tool.primaryArgument,
    inputSchema: tool.inputSchema,
    schemaHash: schemaHashOf(tool.inputSchema),
    defaultTier: tool.defaultTier,
    defaultTimeoutMs: tool.timeoutMs,
    availability: tool.unavailableReason ? "unavailable" : "available",
    availabilityReason: tool.unavailableReason ?? null,
  };
}
