import type { MediaKind } from "@/contracts/models/media";
import { AppError } from "@/server/platform/errors";
import { kindWords, type MediaAccess, type MediaChain, readyFor, unavailableReason } from "../settings/media-chain";

/** A provider to ask and the model to ask for. */
export type Candidate = { access: MediaAccess; model: string };

/**
 * Returns the providers to ask in order. A named model is asked from one provider only, because the others have other models.
 * @param named a model, or `provider:model`
 * @throws AppError `unavailable` when no provider is ready; `invalid` for a provider that is not
 */
export function chooseProviders(chain: MediaChain, kind: MediaKind, named: string | null): Candidate[] {
  const reason = unavailableReason(chain, kind);
  if (reason) throw new AppError("unavailable", reason);
  const ready = readyFor(chain, kind);
  if (named === null) return ready.map((access) => ({ access, model: modelOf(access, kind) }));
  const [, prefix, model = ""] = /^(?:([a-z]+):)?(.+)$/.exec(named) ?? [];
  const asked = prefix
    ? ready.find(({ provider }) => provider.id === prefix)
    : (ready.find((access) => modelsOf(access, kind).includes(model)) ?? ready[0]);
  if (!asked) {
    const known = ready.map(({ provider }) => provider.id).join(", ");
    throw new AppError("invalid", `${prefix} makes no ${kindWords[kind].many} here. Ready: ${known}. The action list shows their models.`);
  }
  return [{ access: asked, model }];
}

/** The chosen model of a provider, or its default. */
export const modelOf = ({ provider, models }: MediaAccess, kind: MediaKind): string =>
  models[kind] ?? provider.makers[kind]?.defaultModel ?? "";

/** The chosen model first, then those that the provider documents. */
export const modelsOf = (access: MediaAccess, kind: MediaKind): string[] => [
  ...new Set([modelOf(access, kind), ...(access.provider.makers[kind]?.knownModels ?? [])]),
];
