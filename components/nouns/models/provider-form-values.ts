import type {
  LocalModelServer,
  ModelAccess,
  ModelProvider,
  ModelProviderDraft,
  OfferedModel,
  ProviderKind,
} from "@/contracts/models/models";
import { findPreset } from "./provider-presets";

export type ProviderFields = {
  name: string;
  kind: ProviderKind;
  baseUrl: string;
  /** Empty: the stored key stays. */
  key: string;
  removesKey: boolean;
  enabled: boolean;
  models: OfferedModel[];
};

export const withoutPrice = (name: string): OfferedModel => ({ name, inputPrice: null, cachedInputPrice: null, outputPrice: null });

/** Returns the first values of the form: of a provider, of a found server, of a preset, or empty ones. */
export function toProviderFields(provider: ModelProvider | null, preset: string | null, local: LocalModelServer | null): ProviderFields {
  if (provider) {
    const { name, kind, baseUrl, enabled, models } = provider;
    return { name, kind, baseUrl, enabled, models, key: "", removesKey: false };
  }
  const known = findPreset(preset);
  return {
    name: local?.name ?? known?.label ?? "",
    kind: known?.kind ?? "openai_compatible",
    baseUrl: local?.baseUrl ?? known?.baseUrl ?? "",
    key: "",
    removesKey: false,
    enabled: true,
    models: local?.models.slice(0, 1).map(withoutPrice) ?? [],
  };
}

/** Returns the draft to save. */
export function toProviderDraft({ key, removesKey, ...fields }: ProviderFields): ModelProviderDraft {
  return { ...fields, ...keyOf({ key, removesKey }) };
}

/** Returns the access that a test or a list of models uses before anything is saved. */
export function toModelAccess({ kind, baseUrl, key, removesKey }: ProviderFields, provider: ModelProvider | null): ModelAccess {
  return { kind, baseUrl: baseUrl.trim(), ...keyOf({ key, removesKey }), ...(provider ? { providerId: provider.id } : {}) };
}

const keyOf = ({ key, removesKey }: Pick<ProviderFields, "key" | "removesKey">) =>
  key.trim() !== "" ? { key: key.trim() } : removesKey ? { key: null } : {};
