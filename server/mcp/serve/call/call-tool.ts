import "server-only";
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/server";
import { runWhileAllowed } from "@/server/endpoints/run-while-allowed";
import type { McpClient } from "../client/mcp-client";
import { type CallState, stateCodec } from "../client/request-state";
import { answerFinishedTurn } from "./answer-finished-turn";
import type { CallOutcome } from "./call-outcome";
import { type CallRequest, carryOut } from "./carry-out";
import { approvalUrl, presentPending, turnMeta } from "./present-result";
import { runtimeIdOf, whileRunning } from "./running-calls";
import type { ClientCall } from "./submit-call";
import { type CreatedTask, createdTask } from "./tasks";

type Result = CallToolResult | InputRequiredResult | CreatedTask;

/** Carries out a tool call as a turn of the client's conversation. A call that waits for a person is answered before it has run. */
export async function callTool(
  client: McpClient,
  call: ClientCall,
  { ctx, connection }: Pick<CallRequest, "ctx" | "connection">,
): Promise<Result> {
  const runtimeId = runtimeIdOf(client, ctx.mcpReq.id);
  return whileRunning(runtimeId, (cancelled) => {
    const signal = AbortSignal.any([client.signal, ctx.mcpReq.signal, cancelled]);
    return runWhileAllowed({ signal, isStillAllowed: client.isStillAllowed }, async (until) =>
      answer(client, await carryOut(client, { call, runtimeId, ctx, connection, cancelled, signal }, until), ctx),
    );
  });
}

/** Answers the client: the one place that knows what each protocol revision is told of each outcome. */
async function answer(client: McpClient, outcome: CallOutcome, ctx: ServerContext): Promise<Result> {
  switch (outcome.kind) {
    case "finished":
      return answerFinishedTurn(client, outcome.turn, outcome);
    case "withdrawn":
      return presentPending(outcome.turn);
    case "refused":
      return { content: [{ type: "text", text: outcome.sentence }], isError: true };
    case "asks_user":
      return sendToPage(client, outcome, ctx);
    case "asks_client":
      return askClient(client, outcome, ctx);
    case "goes_on":
      return client.isStateless && client.takesTasks ? createdTask(outcome.turn) : presentPending(outcome.turn);
  }
}

/** Sends the client's user to the approval's page: as a question of the newer protocol, or as the older protocol's error. */
async function sendToPage(
  client: McpClient,
  { turn, approvalId, digest, round }: Extract<CallOutcome, { kind: "asks_user" }>,
  ctx: ServerContext,
): Promise<InputRequiredResult> {
  const message = `${turn.calls[0]?.name ?? "A tool"} needs a person's approval.`;
  const url = approvalUrl(approvalId);
  if (!client.isStateless) throw new UrlElicitationRequiredError([{ mode: "url", elicitationId: approvalId, message, url }], message);
  const requestState = await stateCodec<CallState>(client).mint({ turnId: turn.id, digest, round: round + 1 }, ctx);
  // Only the first round sends the user to the page; the later ones only wait.
  const inputRequests = round === 0 ? { inputRequests: { approval: inputRequired.elicitUrl({ message, url }) } } : {};
  return { ...inputRequired({ requestState, ...inputRequests }), _meta: turnMeta(turn) };
}

/** Asks a client of the newer protocol for what the call's server wants from it. It repeats the call with the answers. */
async function askClient(
  client: McpClient,
  { turn, requests, digest, round }: Extract<CallOutcome, { kind: "asks_client" }>,
  ctx: ServerContext,
): Promise<InputRequiredResult> {
  const asked = Object.fromEntries(Object.entries(requests).map(([key, { id }]) => [key, id]));
  const requestState = await stateCodec<CallState>(client).mint({ turnId: turn.id, digest, round, asked }, ctx);
  const inputRequests = Object.fromEntries(Object.entries(requests).map(([key, { method, params }]) => [key, { method, params }]));
  return { ...inputRequired({ requestState, inputRequests: inputRequests as InputRequests }), _meta: turnMeta(turn) };
}

type InputRequests = NonNullable<Parameters<typeof inputRequired>[0]["inputRequests"]>;
