import "server-only";
import type { ActorRef } from "@/contracts/common";
import { type Run, RunDraft } from "@/contracts/runs";
import { requirePermission } from "@/server/auth/actor";
import { actorFromRef } from "@/server/auth/actor-from-ref";
import { isAppError } from "@/server/platform/errors";
import { startRun } from "./start-run";

type Work = {
  workspaceId: string;
  agentId: string;
  conversationId: string;
  message: string;
  /** Names the work, so that a repeated attempt finds its run. */
  idempotencyKey: string;
};

const nobodyWaits = new AbortController().signal;

/**
 * Starts a run for somebody who does not wait for it, with the permissions of now. Durable work may call it again and again:
 * the key makes it one run.
 * @throws AppError as `startRun`, and `unauthenticated` or `forbidden` when nobody may act for the reference any more
 */
export async function startRunFor(ref: ActorRef, { workspaceId, agentId, conversationId, message, idempotencyKey }: Work): Promise<Run> {
  const actor = requirePermission(await actorFromRef(ref, { workspaceId, requestId: idempotencyKey }), "turns:write");
  return startRun(actor, { agentId, draft: RunDraft.parse({ message, conversationId }), idempotencyKey, signal: nobodyWaits });
}

/** Returns true for a refusal that time may lift: the agent is at its limit of runs, or something is away. */
export const mayStartLater = (error: unknown): boolean =>
  !isAppError(error) || error.code === "too_many_requests" || error.code === "unavailable";

/** Returns true when whoever the work acts for may not act any more. */
export const isRefusedActor = (error: unknown): boolean =>
  isAppError(error) && (error.code === "unauthenticated" || error.code === "forbidden");
