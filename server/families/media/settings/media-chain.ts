import "server-only";
import { eq } from "drizzle-orm";
import { type MediaKind, type MediaProviderStatus, mediaProviderIds } from "@/contracts/models/media";
import type { RunModel } from "@/contracts/runs/runs";
import type { Db } from "@/db/client";
import { mediaSettings, type StoredMediaProvider } from "@/db/schema";
import { unseal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { mediaProviders } from "../providers";
import type { MediaProvider } from "../providers/provider";

export type MediaSettingsRow = typeof mediaSettings.$inferSelect;

/** A provider with the address and the key that its requests need; `models` are the chosen ones. */
export type MediaAccess = {
  provider: MediaProvider;
  address: string;
  key: string;
  status: MediaProviderStatus;
  models: StoredMediaProvider["models"];
};

export type MediaChain = { accesses: readonly MediaAccess[]; analysisModel: RunModel | null };

/** Words for one and for several things of a kind. */
export const kindWords: Readonly<Record<MediaKind, { one: string; many: string }>> = {
  image: { one: "an image", many: "images" },
  video: { one: "a video", many: "videos" },
  music: { one: "music", many: "music" },
  model3d: { one: "a 3D model", many: "3D models" },
};

/** Reads the media providers of a workspace in their order. */
export async function readMediaChain(workspaceId: string): Promise<MediaChain> {
  const row = await findSettings(db(), workspaceId);
  return { accesses: inOrder(row?.providers ?? []).map(toAccess), analysisModel: row?.analysisModel ?? null };
}

export async function findSettings(tx: Db, workspaceId: string): Promise<MediaSettingsRow | undefined> {
  const [row] = await tx.select().from(mediaSettings).where(eq(mediaSettings.workspaceId, workspaceId));
  return row;
}

/** Returns the providers that can make a kind now, in order. */
export const readyFor = ({ accesses }: Pick<MediaChain, "accesses">, kind: MediaKind): MediaAccess[] =>
  accesses.filter(({ status, provider }) => status === "ready" && provider.makers[kind] !== undefined);

/** Returns why nothing of a kind can be made, with the way out; null when a provider is ready. */
export function unavailableReason(chain: Pick<MediaChain, "accesses">, kind: MediaKind): string | null {
  if (readyFor(chain, kind).length > 0) return null;
  const titles = chain.accesses.flatMap(({ provider }) => (provider.makers[kind] ? [provider.title] : []));
  return `No provider of ${kindWords[kind].many} is ready. An admin can add a key of ${titles.join(", ")} in Settings, Media.`;
}

/** Completes the stored providers with those that a newer version of the product brought. */
export function inOrder(stored: readonly StoredMediaProvider[]): StoredMediaProvider[] {
  const known = stored.filter(({ id }) => Object.hasOwn(mediaProviders, id));
  const missing = mediaProviderIds.filter((id) => !known.some((entry) => entry.id === id));
  return [...known, ...missing.map((id) => ({ id, enabled: true, address: null, key: null, models: {} }))];
}

export function toAccess({ id, enabled, address, key: sealed, models }: StoredMediaProvider): MediaAccess {
  const provider = mediaProviders[id];
  const key = sealed === null ? "" : opened(sealed);
  const status = !enabled ? "off" : key === null ? "key_unreadable" : key === "" ? "needs_key" : "ready";
  return { provider, address: address ?? provider.defaultAddress, key: key ?? "", status, models };
}

/** Returns the key; null when it was sealed with another key of the server. */
function opened(sealed: string): string | null {
  try {
    return unseal(sealed);
  } catch {
    return null;
  }
}
