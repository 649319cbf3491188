import "server-only";
import { and, eq } from "drizzle-orm";
import { agents } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { askModel } from "./ask-model";
import { chainOf } from "./fallback-chain";
import { enabledProviders } from "./find-provider";
import type { ModelRef } from "./model-request";

/** Longest reply that is read, in tokens; whoever asks once needs a short answer. */
const maxOutputTokens = 4_000;

type Asked = { workspaceId: string; instructions: string; message: string; signal: AbortSignal };

/** Asks models once, without tools. @throws AppError `unavailable` when none answers */
export async function askOnce({ message, ...request }: Asked & { models: ModelRef[] }): Promise<string> {
  const messages = [{ role: "user" as const, parts: [{ type: "text" as const, text: message }] }];
  let text = "";
  for await (const event of askModel({ ...request, messages, tools: [], settings: { maxOutputTokens } })) {
    if (event.kind === "text") text += event.text;
    else if (event.kind === "text_was_reasoning") text = "";
  }
  return text;
}

/** Asks an agent's model once, with the agent's instructions before those of the question. @throws AppError `unavailable` */
export async function askAgent({ agentId, ...asked }: Asked & { agentId: string }): Promise<string> {
  const { workspaceId } = asked;
  const [agent] = await db()
    .select({ name: agents.name, models: agents.models, instructions: agents.instructions })
    .from(agents)
    .where(and(eq(agents.workspaceId, workspaceId), eq(agents.id, agentId)));
  if (!agent) throw new AppError("unavailable", "The agent that was to be asked was removed.");
  const models = await chainOf(workspaceId, agent.models);
  if (models.length === 0) throw new AppError("unavailable", `The agent ${agent.name} has no model.`);
  return askOnce({ ...asked, models, instructions: [agent.instructions, asked.instructions].filter((text) => text !== "").join("\n\n") });
}

/** The words with which a tool says that it needs a model, as models know them. */
export const noModelSentence = (tool: string, missing: "client" | "model"): string =>
  `${tool} unavailable (missing llm ${missing}). Add a provider in Settings → Models.`;

/** A check for tools that need a model: they are hidden while no enabled provider of the workspace has one. */
export const needsModel =
  (tool: string) =>
  async (workspaceId: string): Promise<string | null> => {
    const providers = await enabledProviders(db(), workspaceId);
    if (providers.some(({ models }) => models.length > 0)) return null;
    return noModelSentence(tool, providers.length === 0 ? "client" : "model");
  };
