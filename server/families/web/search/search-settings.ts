import "server-only";
import {
  type SearchProviderDraft,
  type SearchProviderStatus,
  type SearchSettings,
  type SearchSettingsPatch,
  searchProviderIds,
} from "@/contracts/tools/search-settings";
import { type StoredSearchProvider, searchSettings } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { seal, unseal } from "@/server/platform/crypto";
import { AppError } from "@/server/platform/errors";
import { replaceEntries } from "@/server/platform/replace-entries";
import { versionedCache } from "@/server/platform/signals/versioned-cache";
import { defineSettings } from "@/server/resources/define-settings";
import { searchProviders } from "./providers";
import type { SearchProvider } from "./search-provider";

type Row = typeof searchSettings.$inferSelect;
type Values = Pick<Row, "enabled" | "fallback" | "version"> & { providers: readonly StoredSearchProvider[] };

/** A provider with the address and the key that its requests need. */
export type SearchAccess = { provider: SearchProvider; address: string; key: string; status: SearchProviderStatus };

/** The providers of a workspace in their order; `version` grows with each change. */
export type SearchChain = { enabled: boolean; fallback: boolean; version: number; accesses: readonly SearchAccess[] };

const defaults: Values = { enabled: true, fallback: true, version: 0, providers: [] };

const settings = defineSettings({ table: searchSettings, event: "search_settings.updated", inAudit: (row) => inAudit(row) });

/** Returns the search providers of a workspace, cached until its configuration changes. */
export const loadSearchChain = versionedCache("searchChain", readSearchChain);

/** Reads the search providers of a workspace from its row. */
export async function readSearchChain(workspaceId: string): Promise<SearchChain> {
  const { enabled, fallback, version, providers } = (await settings.find(workspaceId)) ?? defaults;
  return { enabled, fallback, version, accesses: inOrder(providers).map(toAccess) };
}

/** Returns why no search can be answered; null when a provider is ready. */
export function unavailableReason({ enabled, accesses }: SearchChain): string | null {
  if (!enabled) return "Web search is off in Settings, Search.";
  if (accesses.some(({ status }) => status === "ready")) return null;
  return "No search provider is ready. An admin can switch one on, or add a key, in Settings, Search.";
}

export async function getSearchSettings(actor: Authorized<"tools:read">): Promise<SearchSettings> {
  return present(await settings.find(actor.workspaceId));
}

/**
 * Changes the given settings.
 * @param version from If-Match
 * @throws AppError `stale_version`; `invalid` for a key that a provider does not take, or that belongs to another origin
 */
export async function updateSearchSettings(
  actor: Authorized<"tools:write">,
  patch: SearchSettingsPatch,
  version: number | null,
): Promise<SearchSettings> {
  const saved = await settings.change(actor, version, (before) => {
    const stored = inOrder(before.providers);
    const drafts = patch.providers ?? [];
    const providers = replaceEntries(
      stored,
      drafts.map((draft, index) => changed(draft, stored, index)),
    );
    const { enabled = before.enabled, fallback = before.fallback } = patch;
    return { set: { enabled, fallback, providers }, noted: { newKeys: drafts.flatMap(({ id, key }) => (key ? [id] : [])) } };
  });
  return present(saved);
}

/** Applies the draft of one provider to its stored settings. */
function changed(draft: SearchProviderDraft, stored: readonly StoredSearchProvider[], index: number): StoredSearchProvider {
  const before = stored.find(({ id }) => id === draft.id);
  if (!before) throw new Error(`The provider ${draft.id} has no settings`);
  const { title, needs, defaultAddress } = searchProviders[draft.id];
  const address = draft.address === undefined ? before.address : draft.address;
  if (draft.key && needs !== "key") throw invalidKey(index, `${title} takes no key; leave it out`);
  const originOf = (written: string | null) => URL.parse(written ?? defaultAddress ?? "")?.origin ?? null;
  if (before.key !== null && draft.key === undefined && originOf(address) !== originOf(before.address)) {
    // Otherwise whoever may change the address could have the stored key sent to a server of their choice.
    throw invalidKey(index, `is needed again, because the stored one belongs to ${originOf(before.address)}`);
  }
  const key = draft.key === undefined ? before.key : draft.key === null ? null : seal(draft.key);
  return { id: draft.id, enabled: draft.enabled ?? before.enabled, address: address?.replace(/\/+$/, "") ?? null, key };
}

function invalidKey(index: number, message: string): AppError {
  return new AppError("invalid", `The search settings are not valid: key ${message}`, {
    errors: [{ path: `providers.${index}.key`, message }],
  });
}

/** Completes the stored providers with those that a newer version of the product brought. */
function inOrder(stored: readonly StoredSearchProvider[]): StoredSearchProvider[] {
  const known = stored.filter(({ id }) => Object.hasOwn(searchProviders, id));
  const missing = searchProviderIds.filter((id) => !known.some((entry) => entry.id === id));
  return [...known, ...missing.map((id) => ({ id, enabled: true, address: null, key: null }))];
}

function toAccess({ id, enabled, address: written, key: sealed }: StoredSearchProvider): SearchAccess {
  const provider = searchProviders[id];
  const address = written ?? provider.defaultAddress ?? "";
  const key = sealed === null ? "" : opened(sealed);
  const status = !enabled
    ? "off"
    : key === null
      ? "key_unreadable"
      : provider.needs === "key" && key === ""
        ? "needs_key"
        : address === ""
          ? "needs_address"
          : "ready";
  return { provider, address, key: key ?? "", status };
}

/** Returns the key; null when it was sealed with another key of the server. */
function opened(sealed: string): string | null {
  try {
    return unseal(sealed);
  } catch {
    return null;
  }
}

const inAudit = ({ enabled, fallback, providers }: Values) => ({
  enabled,
  fallback,
  providers: inOrder(providers).map(({ key, ...rest }) => ({ ...rest, hasKey: key !== null })),
});

/** Converts the row to its public form, without keys; no other code does. */
function present(row: Row | undefined): SearchSettings {
  const { enabled, fallback, version, providers } = row ?? defaults;
  const complete = inOrder(providers);
  const accesses = complete.map(toAccess);
  return {
    enabled,
    fallback,
    providers: complete.map(({ id, enabled, address, key }, at) => {
      const { title, needs, defaultAddress } = searchProviders[id];
      return { id, title, enabled, needs, address, defaultAddress, hasKey: key !== null, status: accesses[at]?.status ?? "off" };
    }),
    unavailableReason: unavailableReason({ enabled, fallback, version, accesses }),
    version,
    updatedAt: row?.updatedAt.toISOString() ?? null,
  };
}
