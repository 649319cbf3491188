import { expect, test } from "vitest";
import { toolFormats } from "@/contracts/conversations/conversations";
import { advertise, presentListing } from "../disclosure/present-listing";
import { repairName } from "../resolve-name";
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

test("our search stands beside a provider's own, and no two tools have one name", () => {
  const own = { ...shown(providerTools[0] as (typeof providerTools)[number]), name: "web_search", source: "builtin" as const };
  const providers = providerTools.filter(({ name }) => name === "provider_web_search").map(shown);
  const named = (format: "anthropic" | "openai-responses", tools = [own, ...providers]) =>
    presentListing({ advertised: tools, directory: [] }, format).tools.map((tool) => Object(tool).name ?? Object(tool).type);
  expect(named("anthropic")).toEqual(["web_search_tool", "web_search"]);
  expect(named("anthropic", [own])).toEqual(["web_search"]);
  expect(named("openai-responses")).toEqual(["web_search", "web_search"]);
  expect(repairName("web_search_tool")).toBe("web_search");
});
