import "server-only";
import { randomUUID } from "node:crypto";
import { and, eq, like } from "drizzle-orm";
import type { MemoryHit, MemorySettings, MemorySettingsPatch } from "@/contracts/memory/memory-upkeep";
import { memoryFiles, memorySettings } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { toActorRef } from "@/server/auth/actor";
import { assertProvider } from "@/server/models/assert-provider";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { queueConsolidations } from "./consolidate-memory";
import { assertAgent, type Reader, type Writer } from "./manage-memory";
import { recallByMode } from "./search-by-meaning";

const hitCharacters = 300;
type SettingsRow = typeof memorySettings.$inferSelect;

const presentSettings = (row: SettingsRow | undefined): MemorySettings => ({
  extraction: row?.extraction ?? false,
  consolidation: row?.consolidation ?? false,
  embeddingModel: row?.embeddingModel ?? null,
  version: row?.version ?? 0,
  updatedAt: row?.updatedAt.toISOString() ?? null,
});

/** Finds what an agent remembers, with the words that matched. */
export async function searchMemory(
  actor: Reader,
  agentId: string,
  { query, ownerKey, limit }: { query: string; ownerKey?: string | undefined; limit: number },
): Promise<{ items: MemoryHit[]; note: string | null }> {
  await assertAgent(db(), actor, agentId);
  const view = { workspaceId: actor.workspaceId, agentId, ownerKey: ownerKey ?? null };
  const { items, note } = await recallByMode(db(), view, { query, limit, characters: hitCharacters });
  return { note, items: items.map(({ fact: _, ownerKey: owner, ...hit }) => ({ ...hit, ownerKey: owner || null })) };
}

export async function showSettings(actor: Reader, agentId: string): Promise<MemorySettings> {
  await assertAgent(db(), actor, agentId);
  const [row] = await db().select().from(memorySettings).where(eq(memorySettings.agentId, agentId));
  return presentSettings(row);
}

/** @throws AppError `not_found`, `stale_version` */
export async function updateSettings(
  actor: Writer,
  agentId: string,
  { extraction, consolidation, embeddingModel: given }: MemorySettingsPatch,
  version: number | null,
): Promise<MemorySettings> {
  const { workspaceId, requestId } = actor;
  return db().transaction(async (tx) => {
    await assertAgent(tx, actor, agentId);
    // Inserts the row first, because a missing row cannot be locked.
    await tx.insert(memorySettings).values({ agentId, workspaceId }).onConflictDoNothing();
    const [before] = await tx.select().from(memorySettings).where(eq(memorySettings.agentId, agentId)).for("update");
    if (!before) throw new Error("The settings of a memory have no row");
    if (version !== null && version !== before.version) {
      throw new AppError("stale_version", "Somebody changed these settings meanwhile. Reload the settings, then repeat your change.");
    }
    const embeddingModel = given === undefined ? before.embeddingModel : given;
    if (given) await assertProvider(tx, workspaceId, "embeddingModel", given);
    const [row] = await tx
      .update(memorySettings)
      .set({ extraction, consolidation, embeddingModel, version: before.version + 1 })
      .where(eq(memorySettings.agentId, agentId))
      .returning();
    const old = { extraction: before.extraction, consolidation: before.consolidation, embeddingModel: before.embeddingModel };
    await recordConfigChange(tx, {
      workspaceId,
      event: "memory_settings.updated",
      actor: toActorRef(actor),
      subject: agentId,
      data: { new: { extraction, consolidation, embeddingModel }, old },
      requestId,
    });
    return presentSettings(row);
  });
}

/** Queues the consolidation of one owner's memory. @throws AppError `not_found`, `conflict` without a daily note */
export async function consolidateNow(actor: Writer, agentId: string, ownerKey: string): Promise<void> {
  const { workspaceId } = actor;
  await db().transaction(async (tx) => {
    await assertAgent(tx, actor, agentId);
    const notes = and(
      eq(memoryFiles.agentId, agentId),
      eq(memoryFiles.scope, "PERSONAL"),
      eq(memoryFiles.ownerKey, ownerKey),
      like(memoryFiles.filename, "memory/%"),
    );
    if ((await tx.$count(memoryFiles, notes)) === 0) {
      throw new AppError("conflict", "There is no daily note of this owner to consolidate. Extraction after conversations writes them.");
    }
    await queueConsolidations(tx, [{ workspaceId, agentId, ownerKey }], `hand:${randomUUID()}`);
  });
}
