import "server-only";
import { ProtocolError, ProtocolErrorCode, type ServerContext } from "@modelcontextprotocol/server";
import type { Turn } from "@/contracts/turns";
import { isAppError } from "@/server/platform/errors";
import { shutdownSignal } from "@/server/platform/shutdown";
import { isFinished, waitForTurn } from "@/server/turns/read/wait-for-turn";
import { openClientConversation } from "../client/client-conversation";
import type { McpClient } from "../client/mcp-client";
import type { CallOutcome } from "./call-outcome";
import type { ProgressListener } from "./follow-turn";
import { callDigest, findPendingCall, notePendingCall } from "./pending-calls";
import type { CallState } from "./request-state";
import { requireOwnTurn } from "./require-own-turn";
import { type ClientCall, submitCall } from "./submit-call";
import { withdrawCall } from "./withdraw-call";

const approvalSeconds = 3;
const retrySeconds = 25;
const withdrawMs = 5_000;
/** Rounds in which a client without sessions waits for its user; the later calls are answered without a result. */
const maxRounds = 4;

/** One call as its request gives it: `cancelled` when the client took it back, `signal` when it is gone for any reason. */
export type CallRequest = {
  call: ClientCall;
  runtimeId: string;
  ctx: ServerContext;
  cancelled: AbortSignal;
  signal: AbortSignal;
};

/** Carries out a call as a turn, or goes on with the turn of the same call. Nothing is answered here. */
export async function carryOut(client: McpClient, request: CallRequest, until: AbortSignal): Promise<CallOutcome> {
  const { call, ctx, cancelled, signal } = request;
  const digest = callDigest(call.name, call.arguments);
  const state = ctx.mcpReq.requestState<CallState>();
  const earlier = state ? await earlierRound(client, state, digest) : await findEarlierCall(client, digest);
  const isEarlier = earlier !== null;
  // A server that stops closes connections, too; its turns go on elsewhere. A repeated call only asks for the result.
  const isWithdrawn = () => cancelled.aborted || (!isEarlier && client.isStateless && signal.aborted && !shutdownSignal().aborted);
  const outcomeOf = async (turn: Turn): Promise<CallOutcome> => {
    if (isFinished(turn)) return { kind: "finished", turn, wasPending: isEarlier, isRepeat: isEarlier && !state };
    if (isWithdrawn()) return { kind: "withdrawn", turn: await withdrawCall(client, turn.id, AbortSignal.timeout(withdrawMs)) };
    return waitingOutcome(client, turn, { digest, round: state?.round ?? 0, isEarlier, ctx, until });
  };
  try {
    const turn = isEarlier
      ? await waitForTurn(earlier, isDeclined(ctx) ? 0 : retrySeconds, until)
      : await submitCall(client, call, { runtimeId: request.runtimeId, signal: until, onProgress: progressListener(ctx) });
    const outcome = await outcomeOf(turn);
    return isWithdrawn() && (outcome.kind === "asks_user" || outcome.kind === "goes_on") ? await outcomeOf(outcome.turn) : outcome;
  } catch (error) {
    if (isAppError(error) && error.code === "too_many_requests") return { kind: "refused", sentence: error.message };
    throw error;
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

type Waiting = { digest: string; round: number; isEarlier: boolean; ctx: ServerContext; until: AbortSignal };

/** Decides how an unfinished call goes on, and notes it, so that its result is kept even when this process dies. */
async function waitingOutcome(client: McpClient, turn: Turn, waiting: Waiting): Promise<CallOutcome> {
  const { digest, round, isEarlier, ctx, until } = waiting;
  const approvalId = turn.status === "suspended" ? (turn.calls[0]?.approvalId ?? null) : null;
  await notePendingCall({ turnId: turn.id, conversationId: turn.conversationId, callDigest: digest, approvalId });
  const mayAsk = client.isStateless ? round < maxRounds && !isDeclined(ctx) : !isEarlier;
  if (approvalId !== null && client.opensUrls && mayAsk) return { kind: "asks_user", turn, approvalId, digest, round };
  if (approvalId === null || isEarlier || (client.isStateless && client.takesTasks)) return { kind: "goes_on", turn };
  const decided = await waitForTurn(turn.id, approvalSeconds, until);
  return isFinished(decided) ? { kind: "finished", turn: decided, wasPending: true, isRepeat: false } : { kind: "goes_on", turn: decided };
}

/** The user refused to open the approval's page, so there is nothing to wait for. */
function isDeclined({ mcpReq }: ServerContext): boolean {
  const response = mcpReq.inputResponses?.approval;
  return typeof response === "object" && response !== null && "action" in response && response.action !== "accept";
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
