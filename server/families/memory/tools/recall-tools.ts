import { z } from "zod";
import { memorySearchModes } from "@/contracts/memory/memory-upkeep";
import { noEffects } from "@/server/guard/effects/declare-effects";
import { AppError, isAppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { memory } from "../memory-capability";
import { fence } from "../prompt-blocks";
import { requireOwn } from "./file-tools";

const family = "memory";
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
  approval: noEffects,
  primaryArgument: "query",
  disclosure: { listedLast: true },
  input: z.object({ query: z.string().trim().max(500).default("").describe("What to look up; empty for the most salient") }),
  async execute({ query }, { memory }) {
    try {
      if (query === "") return (await memory.digest(digestTokens)) || "Nothing is remembered yet.";
      const { items: found } = await memory.search({ query, limit: recalled, characters: snippetCharacters });
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
  description: "Searches files, entries and facts of the memory by words and meaning, and returns the best passages with their scores.",
  family,
  tier: "extension",
  effect: "read",
  needs: [memory],
  approval: noEffects,
  names: { parameterAliases: { limit: "k" } },
  primaryArgument: "query",
  input: z.object({
    query: z.string().trim().min(1, "needs words").max(500).describe("Words to find"),
    mode: z
      .enum(memorySearchModes)
      .default("auto")
      .describe("fts: by words; semantic: by meaning; hybrid: by both; auto: hybrid where a model for embeddings is set up"),
    k: z.int().min(1).max(20).default(5).describe("Passages in the answer"),
    agent: z.string().trim().max(100).optional().describe("This agent's id; leave it out"),
  }),
  async execute({ query, mode, k, agent }, { memory }) {
    await requireOwn(memory, agent);
    const found = await memory.search({ query, limit: k, characters: snippetCharacters, mode });
    const results = found.items.map(({ source, text, score }) => ({ source, text, score }));
    return { query, mode: found.mode, count: results.length, results, ...(found.note ? { note: found.note } : {}) };
  },
});
