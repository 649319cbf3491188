import "server-only";
import { ProtocolError, ProtocolErrorCode, type ServerContext } from "@modelcontextprotocol/server";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { Turn } from "@/contracts/turns/turns";
import { isAppError } from "@/server/platform/errors";
import { shutdownSignal } from "@/server/platform/shutdown";
import { isFinished, waitForTurn } from "@/server/turns/read/wait-for-turn";
import type { ClientChannel, Connection } from "../client/client-channel";
import { openClientConversation } from "../client/client-conversation";
import { passReply } from "../client/client-replies";
import type { McpClient } from "../client/mcp-client";
import type { CallState } from "../client/request-state";
import { dropChannel, findChannel, keepChannel, openChannel } from "./call-channels";
import type { CallOutcome } from "./call-outcome";
import { callDigest, findPendingCall, notePendingCall } from "./pending-calls";
import { requireOwnTurn } from "./require-own-turn";
import { type ClientCall, submitCall } from "./submit-call";
import { withdrawCall } from "./withdraw-call";

const retrySeconds = 25;
const withdrawMs = 5_000;
/** Rounds in which a client without sessions waits for its user; the later calls are answered without a result. */
const maxRounds = 4;

/** One call as its request gives it: `cancelled` when the client took it back, `signal` when it is gone for any reason. */
export type CallRequest = {
  call: ClientCall;
  runtimeId: string;
  ctx: ServerContext;
  connection: Connection;
  cancelled: AbortSignal;
  signal: AbortSignal;
};

/** Carries out a call as a turn, or goes on with the turn of the same call. Nothing is answered here. */
export async function carryOut(client: McpClient, request: CallRequest, until: AbortSignal): Promise<CallOutcome> {
  const { call, ctx, connection, cancelled, signal } = request;
  const digest = callDigest(call.name, call.arguments);
  const state = ctx.mcpReq.requestState<CallState>();
  const earlier = state ? await earlierRound(client, state, digest) : await findEarlierCall(client, digest);
  const isEarlier = earlier !== null;
  const channel = isEarlier ? findChannel(earlier) : openChannel(client, request.runtimeId);
  channel?.connect(connection);
  await answerRound(client, { channel, state, ctx });
  // A server that stops closes connections, too; its turns go on elsewhere. A repeated call only asks for the result.
  const isWithdrawn = () => cancelled.aborted || (!isEarlier && client.isStateless && signal.aborted && !shutdownSignal().aborted);
  const outcomeOf = async (turn: Turn): Promise<CallOutcome> => {
    if (isFinished(turn)) {
      dropChannel(turn.id);
      return { kind: "finished", turn, wasPending: isEarlier, isRepeat: isEarlier && !state };
    }
    if (isWithdrawn()) return { kind: "withdrawn", turn: await withdrawCall(client, turn.id, AbortSignal.timeout(withdrawMs)) };
    return waitingOutcome(client, turn, { digest, round: state?.round ?? 0, isEarlier, channel, ctx });
  };
  try {
    const turn = await waitForOutcome(client, { request, earlier, channel, until });
    if (channel && client.isStateless && !isFinished(turn)) keepChannel(turn.id, channel);
    const outcome = await outcomeOf(turn);
    return isWithdrawn() && (outcome.kind === "asks_user" || outcome.kind === "goes_on") ? await outcomeOf(outcome.turn) : outcome;
  } catch (error) {
    if (isAppError(error) && error.code === "too_many_requests") return { kind: "refused", sentence: error.message };
    throw error;
  } finally {
    channel?.disconnect();
  }
}

type Waited = { request: CallRequest; earlier: string | null; channel: ClientChannel | null; until: AbortSignal };

/** Waits until the turn rests, the time is up or the client has to be asked something. A user who answers is waited for. */
async function waitForOutcome(client: McpClient, { request, earlier, channel, until }: Waited): Promise<Turn> {
  const signal = client.isStateless && channel ? AbortSignal.any([until, channel.asked()]) : until;
  let turn =
    earlier === null
      ? await submitCall(client, request.call, { runtimeId: request.runtimeId, signal })
      : await waitForTurn(earlier, isDeclined(request.ctx) ? 0 : retrySeconds, signal);
  while (!client.isStateless && channel?.isAsking && turn.status === "running" && !until.aborted) {
    turn = await waitForTurn(turn.id, retrySeconds, until);
  }
  return turn;
}

/** Hands the answers that a repeated call brings to the questions of its turn, on whichever replica that runs. */
async function answerRound(
  { actor }: McpClient,
  { channel, state, ctx }: Pick<Waiting, "channel" | "ctx"> & { state?: CallState | undefined },
) {
  const { approval: _, ...responses } = ctx.mcpReq.inputResponses ?? {};
  channel?.answer(responses);
  if (channel || !state) return;
  for (const [key, id] of Object.entries(state.asked ?? {})) {
    const result = responses[key];
    if (isJsonObject(result)) await passReply({ id, actorId: actor.id, answer: { result } });
  }
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

type Waiting = {
  digest: string;
  round: number;
  isEarlier: boolean;
  channel: ClientChannel | null;
  ctx: ServerContext;
};

/** Decides how an unfinished call goes on, and notes it, so that its result is kept even when this process dies. Nobody waits for people here. */
async function waitingOutcome(client: McpClient, turn: Turn, waiting: Waiting): Promise<CallOutcome> {
  const { digest, round, isEarlier, channel, ctx } = waiting;
  const approvalId = turn.status === "suspended" ? (turn.calls[0]?.approvalId ?? null) : null;
  await notePendingCall({ turnId: turn.id, conversationId: turn.conversationId, callDigest: digest, approvalId });
  if (client.isStateless && channel?.isAsking) return { kind: "asks_client", turn, requests: channel.requests, digest, round };
  const mayAsk = client.isStateless ? round < maxRounds && !isDeclined(ctx) : !isEarlier;
  if (approvalId !== null && client.opensUrls && mayAsk) return { kind: "asks_user", turn, approvalId, digest, round };
  return { kind: "goes_on", turn };
}

/** The user refused to open the approval's page, so there is nothing to wait for. */
function isDeclined({ mcpReq }: ServerContext): boolean {
  const response = mcpReq.inputResponses?.approval;
  return typeof response === "object" && response !== null && "action" in response && response.action !== "accept";
}
