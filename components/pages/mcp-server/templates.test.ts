import { expect, test } from "vitest";
import { toServerDraft } from "@/components/nouns/mcp-servers/server-draft";
import { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { findTemplates, templates } from "./templates";

test.each(templates.map((template) => [template.name, template] as const))(
  "%s fills in a server that can be saved",
  (_name, { fields }) => {
    const draft = toServerDraft({ ...fields, alias: fields.alias || "named" });
    expect(McpServerDraft.safeParse(draft).error).toBeUndefined();
    for (const secret of [...Object.values(draft.headers ?? {}), ...Object.values(draft.env ?? {})])
      expect(secret).toMatch(/\$env:MCP_[A-Z_]+$|^\/path\/to|^https:\/\/grafana\.example/);
  },
);

test("a search finds servers by name, purpose and package", () => {
  expect(findTemplates("web search").map(({ name }) => name)).toEqual(["Brave Search", "Tavily", "Exa"]);
  expect(findTemplates("uvx nothing")).toEqual([]);
  expect(findTemplates("").length).toBe(4);
});
