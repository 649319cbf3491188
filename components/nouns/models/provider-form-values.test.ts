import { expect, test } from "vitest";
import type { ModelProvider } from "@/contracts/models/models";
import { toModelAccess, toProviderDraft, toProviderFields, withoutPrice } from "./provider-form-values";

const provider: ModelProvider = {
  id: "0199f0c0-0000-7000-8000-000000000001",
  name: "OpenAI",
  kind: "openai_compatible",
  baseUrl: "https://api.openai.com/v1",
  maskedKey: "••••1234",
  enabled: true,
  models: [withoutPrice("gpt-5")],
  position: 0,
  version: 3,
  createdAt: "2026-11-24T00:00:00.000Z",
  updatedAt: "2026-11-24T00:00:00.000Z",
};

test("an empty key field keeps the stored key, and removing it is said on purpose", () => {
  const fields = toProviderFields(provider, null, null);
  expect(toProviderDraft(fields)).not.toHaveProperty("key");
  expect(toProviderDraft({ ...fields, removesKey: true }).key).toBeNull();
  expect(toProviderDraft({ ...fields, removesKey: true, key: " new " }).key).toBe("new");
  expect(toModelAccess(fields, provider)).toEqual({ kind: "openai_compatible", baseUrl: provider.baseUrl, providerId: provider.id });
});

test("a found server fills the form with its address and its first model", () => {
  const local = { server: "ollama", name: "Ollama", baseUrl: "http://127.0.0.1:11434/v1", models: ["a", "b"], providerId: null } as const;
  expect(toProviderFields(null, "ollama", { ...local, models: [...local.models] })).toMatchObject({
    name: "Ollama",
    kind: "openai_compatible",
    baseUrl: local.baseUrl,
    models: [{ name: "a" }],
  });
  expect(toProviderFields(null, "anthropic", null)).toMatchObject({ name: "Anthropic", kind: "anthropic", models: [] });
  expect(toProviderFields(null, "unknown", null)).toMatchObject({ name: "", baseUrl: "" });
});
