import "server-only";
import type { ModelProvider } from "@/contracts/models/models";
import type { modelProviders } from "@/db/schema";
import { unsealOrNull } from "@/server/platform/crypto";

export type ProviderRow = typeof modelProviders.$inferSelect;

/** Shorter keys are masked whole, because four characters would be much of them. */
const shortestShownKey = 16;

/** Converts a row to its public form, with the key masked; no other code does. */
export function presentProvider(row: ProviderRow): ModelProvider {
  const { id, name, kind, baseUrl, keySealed, enabled, models, position, version, createdAt, updatedAt } = row;
  return {
    id,
    name,
    kind,
    baseUrl,
    maskedKey: keySealed === null ? null : maskKey(unsealOrNull(keySealed)),
    enabled,
    models,
    position,
    version,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** A key that cannot be opened is shown as such, so that it can be entered again. */
const maskKey = (key: string | null) =>
  key === null ? "•••• (cannot be opened)" : `••••${key.length < shortestShownKey ? "" : key.slice(-4)}`;
