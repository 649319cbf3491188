import { z } from "zod";
import { defineTool } from "@/server/tools/define-tool";
import { disclosure } from "../disclosure";

export const toolSearch = defineTool({
  name: "tool_search",
  title: "Search extension tools",
  description: "Finds tools for a task, best first. Search for one task at a time, in a few words. An empty query lists the sources.",
  family: "disclosure",
  tier: "core",
  effect: "read",
  needs: [disclosure],
  names: {
    aliases: ["search_tools", "find_tools", "retrieve_tools"],
    parameterAliases: { q: "query", task: "query", max_results: "limit" },
  },
  primaryArgument: "query",
  disclosure: { alwaysOn: true },
  input: z.object({
    query: z.string().trim().max(1_000).default("").describe("What the tool should do"),
    limit: z.int().min(1).max(20).default(8).describe("Tools in the answer"),
  }),
  async execute({ query, limit }, { disclosure }) {
    return disclosure.search(query, limit);
  },
});
