import "server-only";
import type { ActorRef, JsonObject } from "@/contracts/common";
import type { LlmHookAnswer } from "@/contracts/hooks/hooks";
import { processWide } from "@/server/platform/process-wide";

/** The run whose requests hooks look at. */
export type HookedRun = { workspaceId: string; conversationId: string; agent: { id: string; name: string }; requestedBy: ActorRef };

/** The hooks around the requests of a run. */
export type ModelHooks = {
  before: (request: JsonObject) => Promise<LlmHookAnswer>;
  after: (reply: JsonObject, request: JsonObject) => Promise<LlmHookAnswer>;
  onError: (error: JsonObject, request: JsonObject) => Promise<LlmHookAnswer>;
  /** A hook may change or refuse the reply, so nobody may read it before. */
  holdsText: boolean;
};

/** Loads the hooks for a run; null when the workspace has none around requests to models. */
export type ModelHookSource = (run: HookedRun) => Promise<ModelHooks | null>;

const provided = () => processWide("runs.modelHooks", (): { source: ModelHookSource | null } => ({ source: null }));

/** Provides the hooks around requests of runs. */
export function provideModelHooks(source: ModelHookSource): void {
  provided().source = source;
}

export async function loadModelHooks(run: HookedRun): Promise<ModelHooks | null> {
  return (await provided().source?.(run)) ?? null;
}
