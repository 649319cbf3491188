import "server-only";
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/server";
import type { JsonObject } from "@/contracts/common";
import { type Turn, TurnDraft } from "@/contracts/turns";
import { requirePermission } from "@/server/auth/actor";
import { runWhileAllowed } from "@/server/endpoints/run-while-allowed";
import { sha256 } from "@/server/platform/crypto";
import { isAppError } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import { processWide } from "@/server/platform/process-wide";
import { shutdownSignal } from "@/server/platform/shutdown";
import { isFinished, waitForTurn } from "@/server/turns/read/wait-for-turn";
import { submitTurn } from "@/server/turns/submit-turn";
import { answerFinishedTurn } from "./answer-finished-turn";
import { openClientConversation } from "./client-conversation";
import { followTurn, type ProgressListener } from "./follow-turn";
import type { McpClient } from "./mcp-client";
import { callDigest, findPendingCall, notePendingCall } from "./pending-calls";
import { approvalUrl, presentPending, turnMeta } from "./present-result";
import { type CallState, callStateCodec } from "./request-state";
import { requireOwnTurn } from "./require-own-turn";
import { type CreatedTask, createdTask } from "./tasks";
import { withdrawCall } from "./withdraw-call";

/** Shorter than the 60 s after which the SDKs' clients give up. */
const runSeconds = 45;
/** A client with tasks does other things meanwhile. */
const taskAfterSeconds = 0.5;
/** A call that ends within this time reports no progress. */
const fastSeconds = 0.05;
const approvalSeconds = 3;
const retrySeconds = 25;
const maxRounds = 4;

type ToolCall = { name: string; arguments: JsonObject; idempotencyKey: string | null };
type Result = CallToolResult | InputRequiredResult | CreatedTask;
type Following = { signal: AbortSignal; onProgress: ProgressListener | null };

/** Carries out a tool call as a turn of the client's conversation. A call that waits for a person is answered before it has run. */
export async function callTool(client: McpClient, call: ToolCall, ctx: ServerContext): Promise<Result> {
  const runtimeId = runtimeIdOf(client, ctx.mcpReq.id);
  const cancelled = new AbortController();
  inFlight().set(runtimeId, cancelled);
  const signal = AbortSignal.any([client.signal, ctx.mcpReq.signal, cancelled.signal]);
  const onProgress = progressListener(ctx);
  const digest = callDigest(call.name, call.arguments);
  try {
    return await runWhileAllowed({ signal, isStillAllowed: client.isStillAllowed }, async (until) => {
      const state = ctx.mcpReq.requestState<CallState>();
      const earlier = state ? await earlierRound(client, state, digest) : await findEarlierCall(client, digest);
      const following = { signal: until, onProgress };
      const turn = earlier
        ? await waitForTurn(earlier, isDeclined(ctx) ? 0 : retrySeconds, until)
        : await submit(client, call, { ...following, runtimeId });
      if (isFinished(turn))
        return await answerFinishedTurn(client, turn, { wasPending: earlier !== null, isRepeat: earlier !== null && !state });
      // A server that stops closes connections, too; its turns go on elsewhere. A repeated call only asks for the result.
      const hasLeft = () => earlier === null && client.isStateless && signal.aborted && !shutdownSignal().aborted;
      const isWithdrawn = () => cancelled.signal.aborted || hasLeft();
      const withdraw = async () => presentPending(await withdrawCall(client, turn.id, AbortSignal.timeout(5_000)));
      if (isWithdrawn()) return await withdraw();
      const answer = await answerUnfinished(client, turn, { digest, state, isRepeated: earlier !== null, following, ctx });
      return isWithdrawn() ? await withdraw() : answer;
    });
  } catch (error) {
    // The model can wait and try again, so it reads why nothing ran.
    if (isAppError(error) && error.code === "too_many_requests") return { content: [{ type: "text", text: error.message }], isError: true };
    throw error;
  } finally {
    inFlight().delete(runtimeId);
  }
}

/** Calls that this process works on, by the runtime's id of the call. */
const inFlight = () => processWide("mcp.inFlight", () => new Map<string, AbortController>());

/** Cancels a call that this process works on. @returns false when there is none */
export function cancelInFlight(runtimeId: string): boolean {
  const call = inFlight().get(runtimeId);
  call?.abort();
  return call !== undefined;
}

async function submit(client: McpClient, call: ToolCall, following: Following & { runtimeId: string }): Promise<Turn> {
  const actor = requirePermission(client.actor, "turns:write");
  const { onProgress, signal } = following;
  const seconds = client.isStateless && client.takesTasks ? taskAfterSeconds : runSeconds;
  const wait = onProgress ? fastSeconds : seconds;
  const submitted = { id: following.runtimeId, name: call.name, arguments: call.arguments };
  const draft = TurnDraft.safeParse({ calls: [submitted], wait });
  if (!draft.success) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "name: a tool's name has 1 to 200 characters.");
  const turn = await submitTurn(actor, {
    conversationId: await openClientConversation(client),
    draft: draft.data,
    idempotencyKey: call.idempotencyKey,
    signal,
    traceparent: client.traceparent,
  });
  return turn.status === "running" && onProgress ? followTurn(turn.id, { signal, onProgress, seconds }) : turn;
}

/** Returns the runtime's id of a call, by which a cancellation finds the turn on any replica. */
export function runtimeIdOf({ session }: McpClient, requestId: string | number): string {
  return session ? `mcp:${session.id}:${sha256(`${typeof requestId} ${requestId}`).slice(0, 32)}` : `mcp:${newId()}`;
}

async function earlierRound({ actor }: McpClient, { turnId, digest }: CallState, repeated: string): Promise<string> {
  if (digest !== repeated) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "requestState belongs to another call. Repeat the same name and arguments with it.",
    );
  }
  await requireOwnTurn(actor, turnId);
  return turnId;
}

async function findEarlierCall(client: McpClient, digest: string): Promise<string | null> {
  return findPendingCall(client.actor, await openClientConversation(client), digest);
}

/** The user refused to open the approval's page, so there is nothing to wait for. */
function isDeclined({ mcpReq }: ServerContext): boolean {
  const response = mcpReq.inputResponses?.approval;
  return typeof response === "object" && response !== null && "action" in response && response.action !== "accept";
}

type Unfinished = {
  digest: string;
  state: CallState | undefined;
  isRepeated: boolean;
  following: Following;
  ctx: ServerContext;
};

async function answerUnfinished(client: McpClient, turn: Turn, { digest, state, isRepeated, following, ctx }: Unfinished): Promise<Result> {
  const approvalId = turn.status === "suspended" ? (turn.calls[0]?.approvalId ?? null) : null;
  // Noted before anybody waits: the result is kept for the client even when this process dies.
  await notePendingCall({ turnId: turn.id, conversationId: turn.conversationId, callDigest: digest, approvalId });
  if (approvalId !== null && client.opensUrls) {
    const message = `${turn.calls[0]?.name ?? "A tool"} needs a person's approval.`;
    const url = approvalUrl(approvalId);
    const round = (state?.round ?? 0) + 1;
    if (client.isStateless && round <= maxRounds && !isDeclined(ctx)) {
      const requestState = await callStateCodec(client).mint({ turnId: turn.id, digest, round }, ctx);
      // Only the first round sends the user to the page; the later ones only wait.
      const inputRequests = round === 1 ? { inputRequests: { approval: inputRequired.elicitUrl({ message, url }) } } : {};
      return { ...inputRequired({ requestState, ...inputRequests }), _meta: turnMeta(turn) };
    }
    if (!client.isStateless && !isRepeated) {
      throw new UrlElicitationRequiredError([{ mode: "url", elicitationId: approvalId, message, url }], message);
    }
  }
  if (client.isStateless && client.takesTasks) return createdTask(turn);
  if (approvalId === null || isRepeated) return presentPending(turn);
  const decided = await waitForTurn(turn.id, approvalSeconds, following.signal);
  return isFinished(decided) ? answerFinishedTurn(client, decided, { wasPending: true }) : presentPending(decided);
}

/** Sends progress notifications when the client asked for them; null otherwise. */
function progressListener({ mcpReq }: ServerContext): ProgressListener | null {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return null;
  let progress = 0;
  return (message) => {
    progress += 1;
    return mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, message } });
  };
}
