import "server-only";
import { type ResultSettings, type ResultSettingsPatch, resultChars, turnChars } from "@/contracts/tools/result-settings";
import { resultSettings } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { AppError } from "@/server/platform/errors";
import { versionedCache } from "@/server/platform/signals/versioned-cache";
import { defineSettings } from "@/server/resources/define-settings";

type Values = Pick<ResultSettings, "maxCharsPerResult" | "maxCharsPerTurn" | "maskSecrets">;

const defaults: Values = { maxCharsPerResult: resultChars.default, maxCharsPerTurn: turnChars.default, maskSecrets: true };

const settings = defineSettings({ table: resultSettings, event: "result_settings.updated", inAudit: (row) => valuesOf(row) });

/** Returns the settings of a workspace, cached until its configuration changes. */
export const loadResultSettings = versionedCache(
  "resultSettings",
  async (workspaceId): Promise<Values> => (await settings.find(workspaceId)) ?? defaults,
);

export async function getResultSettings(actor: Authorized<"tools:read">): Promise<ResultSettings> {
  return present(await settings.find(actor.workspaceId));
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
  const saved = await settings.change(actor, version, (before) => {
    const after = { ...valuesOf(before), ...patch };
    assertRoom(after);
    return { set: after };
  });
  return present(saved);
}

function assertRoom({ maxCharsPerResult, maxCharsPerTurn }: Values): void {
  if (maxCharsPerTurn >= maxCharsPerResult) return;
  const sentence = `A turn needs room for one result: maxCharsPerTurn ${maxCharsPerTurn} is less than maxCharsPerResult ${maxCharsPerResult}.`;
  throw new AppError("invalid", sentence, { errors: [{ path: "maxCharsPerTurn", message: sentence }] });
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
