import "server-only";
import type { ModelRequest } from "@/server/models/model-request";
import { buildRequest } from "./context/build-request";
import { findOlder, type Older } from "./context/compact";
import { contextTokens } from "./context/context-size";
import type { History } from "./context/history";
import { loadModelHooks, type ModelHooks } from "./hooks/model-hooks";
import { type ChainProviders, contextBudget, loadChainProviders } from "./run-models";
import type { MessageRow } from "./run-row";
import type { LiveRun } from "./save-run";

/** What a step needs, as it is now. */
export type PreparedStep = {
  request: Omit<ModelRequest, "signal">;
  hooks: ModelHooks | null;
  providers: ChainProviders;
  history: History<MessageRow>;
  /** Tokens above which older messages are summarised. */
  budget: number;
  /** Estimated tokens of the request. */
  size: number;
  /** The messages to summarise before the model is asked; null while the context is small enough. */
  older: Older | null;
};

/** Loads what the next step needs. */
export async function prepareStep(live: LiveRun, isLast: boolean): Promise<PreparedStep> {
  const { workspaceId, conversationId, agentId, requestedBy, models, limits } = live.run;
  const providers = await loadChainProviders(workspaceId, models);
  const { agentName, history, ...request } = await buildRequest(live, { providers, isLast });
  const hooks = await loadModelHooks({ workspaceId, conversationId, agent: { id: agentId, name: agentName }, requestedBy });
  const budget = contextBudget(providers, models, limits);
  const size = contextTokens(history, request);
  return { request, hooks, providers, history, budget, size, older: size > budget ? findOlder(history, budget) : null };
}
