import "server-only";
import type { CatalogAgent, Demotion, RegisteredTool } from "../registered-tool";
import { isOffered } from "./disclosure";
import { readLastUses } from "./last-uses";
import { countSchemaTokens } from "./present-listing";
import { schemaTokenBudget, toolsOverBudget } from "./schema-budget";

/** The format by which every agent's schemas are weighed, because the formats differ by a few tokens only. */
const weighedFormat = "openai-responses";

const tokensOf = (tool: RegisteredTool): number => countSchemaTokens(tool, weighedFormat) || countSchemaTokens(tool, "handrail");

/** Tools of an agent that the budget may move: the framework's own and the bridge always stay. */
const isWeighed = (tool: RegisteredTool): boolean =>
  tool.tier === "core" && !tool.alwaysOn && !tool.isBridge && !tool.hiddenUntilActive && tool.source !== "provider" && isOffered(tool);

type OfAgent = { disclosureMode: CatalogAgent["disclosureMode"]; effective: readonly RegisteredTool[] };

/**
 * Finds the least used core tools over the budget, for each agent. Uses are read when the configuration changes and not
 * with each listing, because a listing that changes by itself would invalidate prompt caches.
 */
export async function findDemotions(workspaceId: string, agents: readonly OfAgent[]): Promise<Demotion[]> {
  const weighed = agents.map(({ disclosureMode, effective }) => (disclosureMode === "progressive" ? effective.filter(isWeighed) : []));
  const sums = weighed.map((tools) => tools.reduce((sum, tool) => sum + tokensOf(tool), 0));
  const over = weighed.filter((_tools, at) => (sums[at] ?? 0) > schemaTokenBudget);
  const uses = await readLastUses(workspaceId, [...new Set(over.flat().map(({ name }) => name))]);
  return weighed.map((tools, at) => {
    const coreTokens = sums[at] ?? 0;
    if (coreTokens <= schemaTokenBudget) return { demoted: new Set<string>(), coreTokens };
    const moved = toolsOverBudget(
      tools.map((tool) => ({ name: tool.name, tokens: tokensOf(tool), lastUsedAt: uses.get(tool.name) ?? null })),
      schemaTokenBudget,
    );
    const demoted = new Set(moved);
    return { demoted, coreTokens: tools.reduce((sum, tool) => (demoted.has(tool.name) ? sum : sum + tokensOf(tool)), 0) };
  });
}

/**
 * Returns the activated tools that the budget keeps in the directory: those used or activated longest ago. Enabling one again
 * brings it back. The newest one always stays, because the model has just asked for it.
 * @param activated names, the least recently used first (`keepRecentlyUsed`)
 */
export function findStaleActivations(agent: CatalogAgent, activated: readonly string[]): string[] {
  const tools = activated
    .flatMap((name) => agent.effective.get(name) ?? [])
    .filter((tool) => tool.tier !== "core" || agent.demoted.has(tool.name));
  let tokens = tools.reduce((sum, tool) => sum + tokensOf(tool), agent.coreTokens);
  const stale: string[] = [];
  for (const tool of tools.slice(0, -1)) {
    if (tokens <= schemaTokenBudget) break;
    tokens -= tokensOf(tool);
    stale.push(tool.name);
  }
  return stale;
}
