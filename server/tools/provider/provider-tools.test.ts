import { expect, test } from "vitest";
import { toolFormats } from "@/contracts/conversations";
import { advertise } from "../present-listing";
import { providerForms, providerTools } from "./provider-tools";

const shown = (tool: (typeof providerTools)[number]) => ({
  ...tool,
  tier: tool.defaultTier,
  shownDescription: tool.description,
  sourceName: null,
  shownInputSchema: tool.inputSchema,
});

test("a provider's tool is advertised in that provider's own form, and nowhere else", () => {
  for (const tool of providerTools) {
    for (const format of ["openai", "anthropic", "gemini", "mcp"] as const) {
      expect(advertise(shown(tool), format)).toEqual(providerForms(tool.name)[format] ?? null);
    }
  }
});

test("our own format tells every provider's form", () => {
  const [tool] = providerTools;
  if (!tool) throw new Error("no provider tool");
  expect(advertise(shown(tool), "handrail")).toMatchObject({ name: tool.name, source: "provider", forms: providerForms(tool.name) });
  expect(toolFormats).toContain("handrail");
});
