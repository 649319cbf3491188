import "server-only";
import { and, eq } from "drizzle-orm";
import { type MediaKind, type MediaProviderDraft, type MediaSettings, type MediaSettingsPatch, mediaKinds } from "@/contracts/models/media";
import type { RunModel } from "@/contracts/runs/runs";
import type { Db } from "@/db/client";
import { mediaSettings, modelProviders, type StoredMediaProvider } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { seal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { replaceEntries } from "@/server/platform/replace-entries";
import { defineSettings } from "@/server/resources/define-settings";
import { mediaProviders } from "../providers";
import { findSettings, inOrder, type MediaSettingsRow, toAccess, unavailableReason } from "./media-chain";

const settings = defineSettings({ table: mediaSettings, event: "media_settings.updated", inAudit: (row) => inAudit(row) });

export async function getMediaSettings(actor: Authorized<"tools:read">): Promise<MediaSettings> {
  return present(await findSettings(db(), actor.workspaceId));
}

/**
 * Changes the given settings.
 * @param version from If-Match
 * @throws AppError `stale_version`; `invalid` for a key that belongs to another origin, and for a model that does not exist
 */
export async function updateMediaSettings(
  actor: Authorized<"tools:write">,
  patch: MediaSettingsPatch,
  version: number | null,
): Promise<MediaSettings> {
  const saved = await settings.change(actor, version, async (before, tx) => {
    if (patch.analysisModel) await assertModelExists(tx, actor.workspaceId, patch.analysisModel);
    const stored = inOrder(before.providers);
    const drafts = patch.providers ?? [];
    const providers = replaceEntries(
      stored,
      drafts.map((draft, index) => changed(draft, stored, index)),
    );
    const { analysisModel = before.analysisModel } = patch;
    return { set: { providers, analysisModel }, noted: { newKeys: drafts.flatMap(({ id, key }) => (key ? [id] : [])) } };
  });
  return present(saved);
}

/** Applies the draft of one provider to its stored settings. */
function changed(draft: MediaProviderDraft, stored: readonly StoredMediaProvider[], index: number): StoredMediaProvider {
  const before = stored.find(({ id }) => id === draft.id);
  if (!before) throw new Error(`The provider ${draft.id} has no settings`);
  const { title, defaultAddress, makers } = mediaProviders[draft.id];
  const address = draft.address === undefined ? before.address : draft.address;
  const originOf = (written: string | null) => URL.parse(written ?? defaultAddress)?.origin ?? null;
  if (before.key !== null && draft.key === undefined && originOf(address) !== originOf(before.address)) {
    // Otherwise whoever may change the address could have the stored key sent to a server of their choice.
    throw invalid(`providers.${index}.key`, `is needed again, because the stored one belongs to ${originOf(before.address)}`);
  }
  const models = { ...before.models };
  for (const kind of mediaKinds) {
    const chosen = draft.models?.[kind];
    if (chosen === undefined) continue;
    if (chosen !== null && !makers[kind]) throw invalid(`providers.${index}.models.${kind}`, `${title} makes no such thing; leave it out`);
    if (chosen === null) delete models[kind];
    else models[kind] = chosen;
  }
  const key = draft.key === undefined ? before.key : draft.key === null ? null : seal(draft.key);
  return { id: draft.id, enabled: draft.enabled ?? before.enabled, address: address?.replace(/\/+$/, "") ?? null, key, models };
}

async function assertModelExists(tx: Db, workspaceId: string, { providerId, model }: RunModel): Promise<void> {
  const [row] = await tx
    .select({ models: modelProviders.models })
    .from(modelProviders)
    .where(and(eq(modelProviders.workspaceId, workspaceId), eq(modelProviders.id, providerId)));
  if (!row?.models.some(({ name }) => name === model)) {
    throw invalid("analysisModel", `${model} is not a model of a registered provider. Choose one of Settings, Models.`);
  }
}

function invalid(path: string, message: string): AppError {
  return new AppError("invalid", `The media settings are not valid: ${path} ${message}`, { errors: [{ path, message }] });
}

const inAudit = ({ providers, analysisModel }: Pick<MediaSettingsRow, "providers" | "analysisModel">) => ({
  analysisModel,
  providers: inOrder(providers).map(({ key, ...rest }) => ({ ...rest, hasKey: key !== null })),
});

const ofEachKind = <Value>(value: (kind: MediaKind) => Value): Record<MediaKind, Value> => ({
  image: value("image"),
  video: value("video"),
  music: value("music"),
  model3d: value("model3d"),
});

/** Converts the row to its public form, without keys; no other code does. */
function present(row: MediaSettingsRow | undefined): MediaSettings {
  const stored = inOrder(row?.providers ?? []);
  const accesses = stored.map(toAccess);
  return {
    providers: stored.map(({ id, enabled, address, key, models }, place) => {
      const { title, defaultAddress, makers } = mediaProviders[id];
      return {
        id,
        title,
        enabled,
        kinds: mediaKinds.filter((kind) => makers[kind]),
        address,
        defaultAddress,
        hasKey: key !== null,
        status: accesses[place]?.status ?? "off",
        models: ofEachKind((kind) => models[kind] ?? null),
        defaultModels: ofEachKind((kind) => makers[kind]?.defaultModel ?? null),
        knownModels: ofEachKind((kind) => [...(makers[kind]?.knownModels ?? [])]),
      };
    }),
    analysisModel: row?.analysisModel ?? null,
    unavailableReasons: ofEachKind((kind) => unavailableReason({ accesses }, kind)),
    version: row?.version ?? 0,
    updatedAt: row?.updatedAt.toISOString() ?? null,
  };
}
