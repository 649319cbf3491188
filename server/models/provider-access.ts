import "server-only";
import type { ModelAccess } from "@/contracts/models/models";
import { unseal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { assertKeyBelongs } from "./change-providers";
import { findProvider } from "./find-provider";
import type { ProviderAccess } from "./make-language-model";
import type { ProviderRow } from "./present-provider";

/** Returns the access to a stored provider. The plain key must not leave the server. */
export function storedAccess({ name, kind, baseUrl, keySealed }: ProviderRow): ProviderAccess {
  return { name, kind, baseUrl, key: keySealed === null ? null : unseal(keySealed) };
}

/**
 * Returns the access to an unsaved provider; without a key, the stored key of the named provider.
 * @throws AppError `not_found`, `invalid` for a stored key of another origin
 */
export async function draftAccess(workspaceId: string, { kind, baseUrl, key, providerId }: ModelAccess): Promise<ProviderAccess> {
  const plain = { name: new URL(baseUrl).host, kind, baseUrl, key: key ?? null };
  if (key !== undefined || providerId === undefined) return plain;
  const row = await findProvider(db(), workspaceId, providerId);
  assertKeyBelongs(row, baseUrl);
  return { ...plain, name: row.name, key: storedAccess(row).key };
}
