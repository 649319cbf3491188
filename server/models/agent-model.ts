import "server-only";
import { and, eq } from "drizzle-orm";
import { agents, conversations } from "@/db/schema";
import { defineCapability } from "@/server/capabilities/define-capability";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { askOnce } from "./ask-agent";
import { chainOf } from "./fallback-chain";
import { enabledProviders } from "./find-provider";
import type { ModelRef } from "./model-request";

type Question = {
  instructions: string;
  message: string;
  /** Name of a model in place of the agent's own. */
  model?: string | undefined;
  signal: AbortSignal;
};

/** The model of a conversation's agent, for a tool that needs an answer of its own. */
export type AgentModelCapability = {
  /** What is missing to ask: a provider (`client`), or a model of one (`model`). */
  missing: () => Promise<"client" | "model" | null>;
  /** Asks once, without tools. @throws AppError `not_found` for an unknown name, `unavailable` when no model answers */
  ask: (question: Question) => Promise<string>;
};

export const agentModel = defineCapability({
  name: "model",
  title: "The agent's model",
  isOfConversation: false,
  create: ({ workspaceId, conversationId }): AgentModelCapability =>
    agentModelOf(workspaceId, async () => {
      const [agent] = await db()
        .select({ models: agents.models })
        .from(conversations)
        .innerJoin(agents, eq(agents.id, conversations.agentId))
        .where(eq(conversations.id, conversationId));
      return agent?.models ?? [];
    }),
});

/** Returns the model of an agent for work outside of its conversations. */
export const modelOfAgent = (workspaceId: string, agentId: string): AgentModelCapability =>
  agentModelOf(workspaceId, async () => {
    const [agent] = await db()
      .select({ models: agents.models })
      .from(agents)
      .where(and(eq(agents.workspaceId, workspaceId), eq(agents.id, agentId)));
    return agent?.models ?? [];
  });

function agentModelOf(workspaceId: string, modelsOfAgent: () => Promise<ModelRef[]>): AgentModelCapability {
  const chain = async (): Promise<ModelRef[]> => chainOf(workspaceId, await modelsOfAgent());
  const named = async (name: string): Promise<ModelRef[]> => {
    const providers = await enabledProviders(db(), workspaceId);
    const all = providers.flatMap(({ id, models }) => models.map(({ name }) => ({ providerId: id, model: name })));
    const found = all.filter(({ model }) => model === name.trim());
    if (found.length > 0) return found;
    const known = [...new Set(all.map(({ model }) => model))].slice(0, 20).join(", ");
    throw new AppError("not_found", `There is no model ${name.slice(0, 100)}. Leave model out, or send one of ${known || "none"}.`);
  };
  return {
    missing: async () => {
      if ((await enabledProviders(db(), workspaceId)).length === 0) return "client";
      return (await chain()).length === 0 ? "model" : null;
    },
    ask: async ({ model, ...question }) =>
      askOnce({ ...question, workspaceId, models: model?.trim() ? await named(model) : await chain() }),
  };
}
