import "server-only";
import type { Json } from "@/contracts/common";
import type { ToolFormat } from "@/contracts/conversations/conversations";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { ModelSettings } from "@/contracts/runs/runs";
import { deletedMeanwhile, readConversation } from "@/server/conversations/find-conversation";
import type { ModelRequest, ModelTool } from "@/server/models/model-request";
import { loadConfigVersion } from "@/server/platform/signals/versioned-cache";
import { writePromptSections } from "@/server/tools/disclosure/prompt-sections";
import { listNativeTools, listScope, loadToolScope } from "@/server/tools/list-conversation-tools";
import { toKnownModelMessage } from "../message-content";
import { lastRequest } from "../run-limits";
import type { ChainProviders } from "../run-models";
import type { MessageRow } from "../run-row";
import type { LiveRun } from "../save-run";
import { type History, readHistory } from "./history";
import { loadImages } from "./message-images";

type Options = {
  providers: ChainProviders;
  /** The last request of a run at a limit: without tools. */
  isLast: boolean;
};

/**
 * Builds the next request of a run from its rows and the configuration of now. The prompt is the agent's own text, the
 * hints, the directory and the sections of families; tools are those of `GET /conversations/{id}/tools`. It never mentions guard, time limits or retries.
 * @throws AppError `not_found` when the conversation is gone
 */
export async function buildRequest(
  { run, earlier, messages }: LiveRun,
  { providers, isLast }: Options,
): Promise<Omit<ModelRequest, "signal"> & { agentName: string; history: History<MessageRow> }> {
  // Not from the cache, because a call of the last turn may have activated a tool.
  const conversation = await readConversation(run.conversationId);
  if (!conversation) throw deletedMeanwhile();
  const scope = await loadToolScope(conversation, await loadConfigVersion(run.workspaceId));
  const format = formatOf(run.models.flatMap(({ providerId }) => providers.get(providerId)?.kind ?? []));
  const listing = listScope(scope, format);
  const sections = await writePromptSections(conversation);
  const history = readHistory([...earlier, ...messages]);
  const read = history.summary ? [history.summary, ...history.messages] : history.messages;
  const images = await loadImages(run.conversationId, read);
  const sent = read.map((message) => toKnownModelMessage(message, images));
  return {
    agentName: scope.agent.name,
    history,
    workspaceId: run.workspaceId,
    models: run.models,
    instructions: [scope.agent.instructions, listing.hints, listing.directory, sections].filter((text) => text.trim() !== "").join("\n\n"),
    messages: isLast ? [...sent, { role: "user", parts: [{ type: "text", text: lastRequest }] }] : sent,
    tools: isLast ? [] : listing.tools.flatMap((tool) => toModelTools(tool)),
    settings: repliesOf(scope.agent.modelSettings),
    nativeTools: isLast ? [] : listNativeTools(scope),
  };
}

/** The agent's settings of replies; a model keeps its own where the agent has none. */
function repliesOf(settings: ModelSettings | null): ModelRequest["settings"] {
  const { temperature, maxOutputTokens } = ModelSettings.parse(settings ?? {});
  return { ...(temperature === null ? {} : { temperature }), ...(maxOutputTokens === null ? {} : { maxOutputTokens }) };
}

/** The format whose schemas every provider of the chain takes: Gemini's rules are the strictest, Anthropic's the mildest. */
function formatOf(kinds: readonly string[]): ToolFormat {
  if (kinds.includes("google")) return "gemini";
  const [first] = kinds;
  if (!kinds.every((kind) => kind === first)) return "openai";
  return first === "anthropic" ? "anthropic" : first === "openai_responses" ? "openai-responses" : "openai";
}

/** Reads the functions of a listing; a provider's own tools have another form and are left out. */
function toModelTools(listed: Json): ModelTool[] {
  if (!isJsonObject(listed)) return [];
  if (Array.isArray(listed.functionDeclarations)) return listed.functionDeclarations.flatMap(toModelTools);
  const tool = isJsonObject(listed.function) ? listed.function : listed;
  const { name, description, parameters, input_schema, parametersJsonSchema } = tool;
  const inputSchema = parameters ?? input_schema ?? parametersJsonSchema;
  return typeof name === "string" && typeof description === "string" && isJsonObject(inputSchema)
    ? [{ name, description, inputSchema }]
    : [];
}
