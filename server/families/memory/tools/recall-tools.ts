import { z } from "zod";
import { AppError, isAppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { memory } from "../memory-capability";
import { fence } from "../prompt-blocks";
import { assertOwn } from "./file-tools";

const family = "memory";
const modes = ["auto", "fts", "semantic", "hybrid"] as const;
const snippetCharacters = 500;
/** Tokens of the digest of an empty query. */
const digestTokens = 2_000;
const recalled = 8;

export const memoryRecall = defineTool({
  name: "memory_recall",
  title: "Recall",
  description: "Looks up what you remember: files and facts that fit a query. Without a query, the most salient ones.",
  family,
  tier: "extension",
  effect: "read",
  needs: [memory],
  primaryArgument: "query",
  disclosure: { listedLast: true },
  input: z.object({ query: z.string().trim().max(500).default("").describe("What to look up; empty for the most salient") }),
  async execute({ query }, { memory }) {
    try {
      if (query === "") return (await memory.digest(digestTokens)) || "Nothing is remembered yet.";
      const found = await memory.search(query, recalled, snippetCharacters);
      if (found.length === 0) return `Nothing that is remembered fits "${query.slice(0, 200)}". An empty query shows the most salient.`;
      return fence(found.map(({ source, text }) => `- ${source}: ${text}`).join("\n"));
    } catch (error) {
      throw new AppError("unavailable", `memory lookup failed: ${isAppError(error) ? error.message : "the store did not answer"}`);
    }
  },
});

export const searchMemory = defineTool({
  name: "search_memory",
  title: "Search the memory",
  description: "Searches files and facts of the memory by words and returns the best passages with their scores.",
  family,
  tier: "extension",
  effect: "read",
  needs: [memory],
  names: { parameterAliases: { limit: "k" } },
  primaryArgument: "query",
  input: z.object({
    query: z.string().trim().min(1, "needs words").max(500).describe("Words to find"),
    mode: z.enum(modes).default("auto").describe("auto and fts search by words"),
    k: z.int().min(1).max(20).default(5).describe("Passages in the answer"),
    agent: z.string().trim().max(100).optional().describe("This agent's id; leave it out"),
  }),
  async execute({ query, mode, k, agent }, { memory }) {
    await assertOwn(memory, agent);
    if (mode === "semantic" || mode === "hybrid") {
      throw new AppError("unavailable", `mode ${mode} needs a model for embeddings, and none is set up. Use auto or fts.`);
    }
    const found = await memory.search(query, k, snippetCharacters);
    const results = found.map(({ source, text, score }) => ({ source, text, score }));
    return { query, mode: "fts", count: results.length, results };
  },
});
