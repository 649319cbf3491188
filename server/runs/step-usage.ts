import "server-only";
import type { RunUsage } from "@/contracts/runs/runs";
import type { RunTask } from "./active-runs";
import type { Reply } from "./ask-again";
import { type ChainProviders, loadChainProviders, withCost } from "./run-models";
import type { RunRow } from "./run-row";

/** Returns the usage of a reply with its cost. A hook may have chosen a model outside of the run's chain. */
export async function usageOf(
  { workspaceId }: Pick<RunRow, "workspaceId">,
  providers: ChainProviders,
  { model, usage }: Pick<Reply["finished"], "model" | "usage">,
): Promise<RunUsage> {
  const known = providers.has(model.providerId) ? providers : await loadChainProviders(workspaceId, [model]);
  return withCost(known, model, usage);
}

type Sums = Pick<RunRow, "inputTokens" | "cachedInputTokens" | "outputTokens" | "costUsd" | "isCostKnown" | "isUsageEstimated">;

/** Adds a usage to what the run has spent. */
export function addUsage(run: Sums, { inputTokens, cachedInputTokens, outputTokens, costUsd, isEstimated }: RunUsage): Sums {
  return {
    inputTokens: run.inputTokens + inputTokens,
    cachedInputTokens: run.cachedInputTokens + cachedInputTokens,
    outputTokens: run.outputTokens + outputTokens,
    costUsd: run.costUsd + (costUsd ?? 0),
    isCostKnown: run.isCostKnown && costUsd !== null,
    isUsageEstimated: run.isUsageEstimated || isEstimated,
  };
}

/** Adds what replies cost that are stored nowhere to what the run has spent, once. */
export async function addUnstored(run: RunRow, task: RunTask): Promise<Sums> {
  const unstored = task.unstored.splice(0);
  const providers = await loadChainProviders(
    run.workspaceId,
    unstored.map(({ model }) => model),
  );
  const { inputTokens, cachedInputTokens, outputTokens, costUsd, isCostKnown, isUsageEstimated } = run;
  let sums: Sums = { inputTokens, cachedInputTokens, outputTokens, costUsd, isCostKnown, isUsageEstimated };
  for (const { model, usage } of unstored) sums = addUsage(sums, withCost(providers, model, usage));
  return sums;
}
