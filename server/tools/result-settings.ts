import "server-only";
import { eq } from "drizzle-orm";
import { type ResultSettings, type ResultSettingsPatch, resultChars, turnChars } from "@/contracts/result-settings";
import type { Db } from "@/db/client";
import { resultSettings } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { versionedCache } from "@/server/platform/versioned-cache";

type Values = Pick<ResultSettings, "maxCharsPerResult" | "maxCharsPerTurn" | "maskSecrets">;

const defaults: Values = { maxCharsPerResult: resultChars.default, maxCharsPerTurn: turnChars.default, maskSecrets: true };

/** Returns the settings of a workspace, cached until its configuration changes. */
export const loadResultSettings = versionedCache(
  "resultSettings",
  async (workspaceId): Promise<Values> => (await findRow(db(), workspaceId)) ?? defaults,
);

export async function getResultSettings(actor: Authorized<"tools:read">): Promise<ResultSettings> {
  return present(await findRow(db(), actor.workspaceId));
}

/**
 * Changes the given settings.
 * @param version from If-Match
 * @throws AppError `stale_version`; `invalid` when a turn would have less room than one result
 */
export async function updateResultSettings(
  actor: Authorized<"admin">,
  patch: ResultSettingsPatch,
  version: number | null,
): Promise<ResultSettings> {
  const { workspaceId } = actor;
  return db().transaction(async (tx) => {
    // Inserts the row first, because a missing row cannot be locked. Of two concurrent first changes, the second waits for
    // the first one's row.
    await tx.insert(resultSettings).values({ workspaceId, version: 0 }).onConflictDoNothing();
    const [before] = await tx.select().from(resultSettings).where(eq(resultSettings.workspaceId, workspaceId)).for("update");
    if (!before) throw new Error("the settings of results have no row");
    if (version !== null && version !== before.version) {
      throw new AppError("stale_version", "Somebody changed these settings meanwhile. Reload the settings, then repeat your change.");
    }
    const after = { ...valuesOf(before), ...patch };
    assertRoom(after);
    const [saved] = await tx
      .update(resultSettings)
      .set({ ...after, version: before.version + 1 })
      .where(eq(resultSettings.workspaceId, workspaceId))
      .returning();
    await recordConfigChange(tx, {
      workspaceId,
      event: "result_settings.updated",
      actor: toActorRef(actor),
      subject: null,
      data: { new: after, old: valuesOf(before) },
      requestId: actor.requestId,
    });
    return present(saved);
  });
}

function assertRoom({ maxCharsPerResult, maxCharsPerTurn }: Values): void {
  if (maxCharsPerTurn >= maxCharsPerResult) return;
  const sentence = `A turn needs room for one result: maxCharsPerTurn ${maxCharsPerTurn} is less than maxCharsPerResult ${maxCharsPerResult}.`;
  throw new AppError("invalid", sentence, { errors: [{ path: "maxCharsPerTurn", message: sentence }] });
}

async function findRow(tx: Db, workspaceId: string): Promise<Row | undefined> {
  const [row] = await tx.select().from(resultSettings).where(eq(resultSettings.workspaceId, workspaceId));
  return row;
}

type Row = typeof resultSettings.$inferSelect;

const valuesOf = ({ maxCharsPerResult, maxCharsPerTurn, maskSecrets }: Values): Values => ({
  maxCharsPerResult,
  maxCharsPerTurn,
  maskSecrets,
});

function present(row: Row | undefined): ResultSettings {
  return { ...valuesOf(row ?? defaults), version: row?.version ?? 0, updatedAt: row?.updatedAt.toISOString() ?? null };
}
