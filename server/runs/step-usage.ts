import "server-only";
import type { RunUsage } from "@/contracts/runs";
import type { Reply } from "./ask-again";
import { type ChainProviders, loadChainProviders, withCost } from "./run-models";
import type { RunRow } from "./run-row";

/** Returns the usage of a reply with its cost. A hook may have chosen a model outside of the run's chain. */
export async function usageOf(
  { workspaceId }: RunRow,
  providers: ChainProviders,
  { finished: { model, usage } }: Reply,
): Promise<RunUsage> {
  const known = providers.has(model.providerId) ? providers : await loadChainProviders(workspaceId, [model]);
  return withCost(known, model, usage);
}

/** Adds a usage to what the run has spent. */
export function addUsage(run: RunRow, { inputTokens, cachedInputTokens, outputTokens, costUsd }: RunUsage) {
  return {
    inputTokens: run.inputTokens + inputTokens,
    cachedInputTokens: run.cachedInputTokens + cachedInputTokens,
    outputTokens: run.outputTokens + outputTokens,
    costUsd: run.costUsd + (costUsd ?? 0),
    isCostKnown: run.isCostKnown && costUsd !== null,
  };
}
