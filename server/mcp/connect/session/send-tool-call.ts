import {
  type CallToolResult,
  type Client,
  type CreateMessageRequestParams,
  type CreateMessageResult,
  type ElicitRequestParams,
  isInputRequiredResult,
  isSpecType,
  type ListRootsResult,
  ProtocolError,
  type RequestOptions,
  type Tool,
} from "@modelcontextprotocol/client";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { AppError } from "@/server/platform/errors";
import { type Elicit, unanswered } from "../questions/running-calls";
import type { CompletedPages } from "./completed-pages";
import { runAsTask, type TaskListener } from "./run-as-task";

type CallParams = { name: string; arguments: JsonObject; _meta?: Record<string, unknown> };
/** Answers the questions of the server about one call. */
type Answers = {
  elicit: Elicit | null;
  sample: (params: CreateMessageRequestParams, signal: AbortSignal, key: string) => Promise<CreateMessageResult>;
  roots: (signal: AbortSignal, key: string) => Promise<ListRootsResult>;
  pages: CompletedPages;
};
type SendOptions = RequestOptions & { signal: AbortSignal; toolDefinition: Tool };

/** Rounds of questions in one call. A server that asks more often is probably in a loop. */
const maxRounds = 10;
/** Time for a person who has opened a page to finish there, beside the call's own limit. */
const pageMilliseconds = 120_000;
const pageOpen = "The server waits until a person has finished at the page that was opened. Send the call again after that.";
/** Error code with which a server asks a person to open an address before the call can run. */
const urlElicitationRequired = -32_042;

/**
 * Sends one call and resolves with its result. Questions of the server go to `elicit`: in the newer protocol they are part of
 * the answers to this call, so they cannot be confused with those of another call.
 */
export async function sendToolCall(
  client: Client,
  params: CallParams,
  { asTask, elicit, sample, roots, pages, onStatus, onTask, ...options }: SendOptions & Answers & TaskListener & { asTask: boolean },
): Promise<CallToolResult> {
  if (asTask) return runAsTask(client, params, { ...options, onStatus, onTask });
  const isModern = client.getProtocolEra() === "modern";
  const opened: string[] = [];
  let sent: CallParams & { inputResponses?: unknown; requestState?: string } = params;
  for (let round = 0; round <= maxRounds; round += 1) {
    try {
      const answer: unknown = await client.callTool(sent, { ...options, ...(isModern ? { allowInputRequired: true } : {}) });
      if (!isInputRequiredResult(answer)) return answer as CallToolResult;
      const { inputRequests = {}, requestState } = answer;
      const inputResponses = await answerAll(inputRequests, { elicit, sample, roots, pages }, options.signal);
      sent = { ...params, inputResponses, ...(requestState === undefined ? {} : { requestState }) };
    } catch (error) {
      const urls = requiredUrls(error);
      if (!urls || round > 1) throw error;
      const ids = urls.flatMap((url) => (url.mode === "url" ? [url.elicitationId] : []));
      if (opened.length > 0) {
        // A client accepts as soon as it opens the page, and the server tells when the person has finished there.
        if (!ids.every((id) => opened.includes(id))) throw error;
        if (!(await pages.wait(ids, options.signal, pageMilliseconds))) throw new AppError("conflict", pageOpen);
        continue;
      }
      for (const url of urls) {
        const { action } = elicit ? await elicit(url, options.signal) : unanswered;
        if (action !== "accept") throw new AppError("conflict", "The server asked a person to open a page first, and nobody did.");
      }
      opened.push(...ids);
    }
  }
  throw new AppError("unavailable", `The server asked more than ${maxRounds} times for input and gave no result.`);
}

/** Answers the questions of one round side by side, so that a client is asked all of them at once. */
async function answerAll(requests: Record<string, unknown>, answers: Answers, signal: AbortSignal): Promise<Record<string, unknown>> {
  const responses = Object.entries(requests).map(async ([key, request]) => [key, await answerOne(key, request, answers, signal)] as const);
  return Object.fromEntries(await Promise.all(responses));
}

async function answerOne(key: string, request: unknown, { elicit, sample, roots }: Answers, signal: AbortSignal): Promise<unknown> {
  if (!isJsonObject(request)) throw new AppError("unavailable", "The server asked for input in a form that is not MCP.");
  const { method, params } = request;
  if (method === "roots/list") return roots(signal, key);
  if (method === "elicitation/create" && isSpecType.ElicitRequestParams(params))
    return elicit ? elicit(params, signal, false, key) : unanswered;
  if (method === "sampling/createMessage" && isSpecType.CreateMessageRequestParams(params)) return sample(params, signal, key);
  throw new AppError("unavailable", `The server asked for ${String(method).slice(0, 100)}, which is not supported.`);
}

/** Returns the addresses that a server wants opened before the call can run; null for other errors. */
function requiredUrls(error: unknown): ElicitRequestParams[] | null {
  if (!ProtocolError.isInstance(error) || error.code !== urlElicitationRequired || !isJsonObject(error.data)) return null;
  const { elicitations } = error.data;
  return Array.isArray(elicitations) ? elicitations.filter((one) => isSpecType.ElicitRequestParams(one)).slice(0, maxRounds) : null;
}
