import { type Client, isInputRequiredResult, withInputRequired } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { storableJson } from "../schemas/input-schema";
import { withoutHidden } from "../text/clean-result";
import { cleanLine } from "../text/clean-text";

type Options = { signal: AbortSignal; timeout: number };

/** A prompt, filled in: messages whose content blocks are as the server sent them, texts cleaned. */
export type FilledPrompt = { description?: string; messages: { role: "user" | "assistant"; content: Record<string, unknown> }[] };

const Prompt = z.looseObject({
  description: z.string().optional().catch(undefined),
  messages: z.array(z.unknown()),
});
const Message = z.object({ role: z.enum(["user", "assistant"]), content: z.record(z.string(), z.unknown()) });
const maxMessages = 200;

/** What a server of the newer protocol wants to know before it fills in a prompt; `state` is its own. */
export type PromptQuestions = { inputRequests: JsonObject; state: string | null };
/** The answers of a client, with the server's state. */
export type PromptAnswers = { inputResponses: JsonObject; state: string | null };

/** Fills in a prompt, or returns what its server asks first. Messages that are none are left out. */
export async function getPrompt(
  client: Client,
  name: string,
  { args, answers }: { args: Record<string, string>; answers: PromptAnswers | null },
  options: Options,
): Promise<FilledPrompt | PromptQuestions> {
  const { inputResponses, state = null } = answers ?? {};
  const round = { ...(inputResponses ? { inputResponses } : {}), ...(state === null ? {} : { requestState: state }) };
  const allow = client.getProtocolEra() === "modern" ? { allowInputRequired: true as const } : {};
  const request = { method: "prompts/get", params: { name, arguments: args, ...round } };
  const answer: unknown = await client.request(request, withInputRequired(Prompt), { ...options, ...allow });
  if (isInputRequiredResult(answer)) {
    return { inputRequests: storableJson(answer.inputRequests ?? {}) as JsonObject, state: answer.requestState ?? null };
  }
  return filled(Prompt.parse(answer));
}

function filled(answer: z.infer<typeof Prompt>): FilledPrompt {
  const messages = answer.messages.slice(0, maxMessages).flatMap((listed) => {
    const { success, data } = Message.safeParse(listed);
    return success ? [{ role: data.role, content: cleanedBlock(data.content) }] : [];
  });
  return { ...(answer.description ? { description: cleanLine(answer.description, 2_000) } : {}), messages };
}

/** Cleans the texts of a content block; bytes stay as they are. */
function cleanedBlock(block: Record<string, unknown>): Record<string, unknown> {
  const { text, resource } = block;
  return {
    ...block,
    ...(typeof text === "string" ? { text: withoutHidden(text) } : {}),
    ...(isJsonObject(resource) && typeof resource.text === "string"
      ? { resource: { ...resource, text: withoutHidden(resource.text) } }
      : {}),
  };
}

const Completed = z.looseObject({
  completion: z.object({
    values: z.array(z.string()),
    total: z.number().optional().catch(undefined),
    hasMore: z.boolean().optional().catch(undefined),
  }),
});
export type Completion = { values: string[]; total?: number; hasMore?: boolean };

/** The most values of one answer, as the protocol says. */
const maxValues = 100;

/** Asks a server for values of an argument that begin with what was typed; none from a server that completes nothing. */
export async function complete(client: Client, params: Record<string, unknown>, options: Options): Promise<Completion> {
  if (!client.getServerCapabilities()?.completions) return { values: [] };
  const { completion } = await client.request({ method: "completion/complete", params }, Completed, options);
  const { values, total, hasMore } = completion;
  return {
    values: values.slice(0, maxValues).map((value) => cleanLine(value, 1_000)),
    ...(total === undefined ? {} : { total }),
    ...(hasMore === undefined && values.length <= maxValues ? {} : { hasMore: hasMore === true || values.length > maxValues }),
  };
}
