import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { OfferedModel, ProviderKind } from "@/contracts/models/models";
import { type AgentRunLimits, RunDraft } from "@/contracts/runs/runs";
import { agents, modelProviders, runMessages, runs } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { loadModelHooks } from "@/server/families/hooks/model-hooks";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { waitForActiveRuns } from "@/server/runs/active-runs";
import { provideModelHooks } from "@/server/runs/hooks/model-hooks";
import { startRun } from "@/server/runs/starts/start-run";
import { wakeRunsOnSignal } from "@/server/runs/wake-runs";
import { neverAborted, runtimeActor, type Stage, useStage } from "../stage";
import { startModelServer } from "./model-protocol-server";
import type { ScriptedAnswer } from "./model-protocols";

export type RunStage = Stage;

/** Sets up a stage on which runs are woken as on a server. */
export function useRunStage(): RunStage {
  const stage = useStage();
  let stop = () => {};
  beforeAll(() => {
    provideModelHooks(loadModelHooks);
    stop = wakeRunsOnSignal();
  });
  afterEach(waitForActiveRuns);
  afterAll(() => stop());
  return stage;
}

type Script = Parameters<typeof startModelServer>[0];
type Setup = { instructions?: string; kind?: ProviderKind; runLimits?: Partial<AgentRunLimits>; prices?: Partial<OfferedModel> };

/** Gives the stage's agent a model that answers by a script. */
export async function giveModel(
  stage: Stage,
  script: Script,
  { instructions = "", kind = "openai_compatible", runLimits, prices = {} }: Setup = {},
) {
  const server = await startModelServer(script);
  const { workspace, agent } = stage.built;
  const providerId = newId();
  const offered = { name: "test-model", inputPrice: null, cachedInputPrice: null, outputPrice: null, ...prices };
  await db()
    .insert(modelProviders)
    .values({
      id: providerId,
      workspaceId: workspace.id,
      name: `Provider ${providerId}`,
      kind,
      baseUrl: server.baseUrl(kind),
      keySealed: null,
      models: [offered],
      position: 0,
    });
  await db().transaction(async (tx) => {
    const limits = runLimits
      ? { steps: 50, tokens: 1_000_000, costUsd: null, seconds: 600, contextTokens: 100_000, concurrentRuns: 10, ...runLimits }
      : null;
    const models = [{ providerId, model: "test-model" }];
    await tx.update(agents).set({ instructions, models, runLimits: limits }).where(eq(agents.id, agent.id));
    await bumpConfigVersion(tx, workspace.id);
  });
  return server;
}

type Start = Partial<RunDraft> & { idempotencyKey?: string | null };

/** Starts a run in the stage's conversation, and waits for its end or for its first question. */
export function start(stage: Stage, message: string, { idempotencyKey = null, ...draft }: Start = {}) {
  const parsed = RunDraft.parse({ message, conversationId: stage.conversationId, wait: 20, ...draft });
  return startRun(runtimeActor(stage), { agentId: stage.built.agent.id, draft: parsed, idempotencyKey, signal: neverAborted });
}

/** A reply that calls tools of the stage, such as `["look", { text: "a" }]`. */
export function calling(...calls: readonly (readonly [string, object | string])[]): ScriptedAnswer {
  return {
    toolCalls: calls.map(([name, args], index) => ({
      id: `call_${index}`,
      name,
      arguments: typeof args === "string" ? args : JSON.stringify(args),
    })),
  };
}

export const saying = (...text: string[]): ScriptedAnswer => ({ text });

export async function rowOf(runId: string) {
  const [row] = await db().select().from(runs).where(eq(runs.id, runId));
  if (!row) throw new Error("there is no such run");
  return row;
}

/** The messages of a run, each as `role: text`; the calls of a reply by their names. */
export async function transcriptOf(runId: string): Promise<string[]> {
  const rows = await db().select().from(runMessages).where(eq(runMessages.runId, runId)).orderBy(runMessages.position);
  return rows.map(
    ({ role, content }) => `${role}: ${[content.text, ...(content.toolCalls ?? []).map(({ name }) => `${name}()`)].join("")}`,
  );
}

/** Texts of the messages of a request as the provider received them. */
export function sentTexts({ body }: { body: Record<string, unknown> }): string[] {
  const messages = body.messages as { role: string; content?: unknown }[];
  return messages.map(({ role, content }) => `${role}: ${typeof content === "string" ? content : JSON.stringify(content ?? null)}`);
}

export const sentTools = ({ body }: { body: Record<string, unknown> }): string[] =>
  ((body.tools ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name);
