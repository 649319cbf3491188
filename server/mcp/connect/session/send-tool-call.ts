import {
  type CallToolResult,
  type Client,
  type CreateMessageRequestParams,
  type CreateMessageResult,
  type ElicitRequestParams,
  isInputRequiredResult,
  isSpecType,
  ProtocolError,
  type RequestOptions,
  type Tool,
} from "@modelcontextprotocol/client";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { AppError } from "@/server/platform/errors";
import { type Elicit, unanswered } from "../questions/running-calls";
import { runAsTask } from "./run-as-task";

type CallParams = { name: string; arguments: JsonObject; _meta?: Record<string, unknown> };
/** Answers the questions of the server about one call. */
type Answers = {
  elicit: Elicit | null;
  sample: (params: CreateMessageRequestParams, signal: AbortSignal) => Promise<CreateMessageResult>;
};
type SendOptions = RequestOptions & { signal: AbortSignal; toolDefinition: Tool };

/** Rounds of questions in one call. A server that asks more often is probably in a loop. */
const maxRounds = 10;
/** Error code with which a server asks a person to open an address before the call can run. */
const urlElicitationRequired = -32_042;

/**
 * Sends one call and resolves with its result. Questions of the server go to `elicit`: in the newer protocol they are part of
 * the answers to this call, so they cannot be confused with those of another call.
 */
export async function sendToolCall(
  client: Client,
  params: CallParams,
  { asTask, elicit, sample, ...options }: SendOptions & Answers & { asTask: boolean },
): Promise<CallToolResult> {
  if (asTask) return runAsTask(client, params, options);
  const isModern = client.getProtocolEra() === "modern";
  let sent: CallParams & { inputResponses?: unknown; requestState?: string } = params;
  for (let round = 0; round <= maxRounds; round += 1) {
    try {
      const answer: unknown = await client.callTool(sent, { ...options, ...(isModern ? { allowInputRequired: true } : {}) });
      if (!isInputRequiredResult(answer)) return answer as CallToolResult;
      const { inputRequests = {}, requestState } = answer;
      const inputResponses = await answerAll(inputRequests, { elicit, sample }, options.signal);
      sent = { ...params, inputResponses, ...(requestState === undefined ? {} : { requestState }) };
    } catch (error) {
      const urls = requiredUrls(error);
      if (!urls || round > 0) throw error;
      for (const url of urls) {
        const { action } = elicit ? await elicit(url, options.signal) : unanswered;
        if (action !== "accept") throw new AppError("conflict", "The server asked a person to open a page first, and nobody did.");
      }
    }
  }
  throw new AppError("unavailable", `The server asked more than ${maxRounds} times for input and gave no result.`);
}

async function answerAll(
  requests: Record<string, unknown>,
  { elicit, sample }: Answers,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const responses: Record<string, unknown> = {};
  for (const [key, request] of Object.entries(requests)) {
    if (!isJsonObject(request)) throw new AppError("unavailable", "The server asked for input in a form that is not MCP.");
    if (request.method === "roots/list") responses[key] = { roots: [] };
    else if (request.method === "elicitation/create" && isSpecType.ElicitRequestParams(request.params))
      responses[key] = elicit ? await elicit(request.params, signal) : unanswered;
    else if (request.method === "sampling/createMessage" && isSpecType.CreateMessageRequestParams(request.params))
      responses[key] = await sample(request.params, signal);
    else throw new AppError("unavailable", `The server asked for ${String(request.method).slice(0, 100)}, which is not supported.`);
  }
  return responses;
}

/** Returns the addresses that a server wants opened before the call can run; null for other errors. */
function requiredUrls(error: unknown): ElicitRequestParams[] | null {
  if (!ProtocolError.isInstance(error) || error.code !== urlElicitationRequired || !isJsonObject(error.data)) return null;
  const { elicitations } = error.data;
  return Array.isArray(elicitations) ? elicitations.filter((one) => isSpecType.ElicitRequestParams(one)).slice(0, maxRounds) : null;
}
