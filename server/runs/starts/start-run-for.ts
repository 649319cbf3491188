import "server-only";
import type { ActorRef } from "@/contracts/common";
import { type Run, RunDraft } from "@/contracts/runs/runs";
import { requirePermission } from "@/server/auth/actor";
import { actorFromRef } from "@/server/auth/actor-from-ref";
import { AppError, isAppError } from "@/server/platform/errors";
import { startRun } from "./start-run";

type Work = {
  workspaceId: string;
  agentId: string;
  conversationId: string;
  message: string;
  /** Paths of files in the conversation's folder. */
  attachments?: string[];
  /** Names the work, so that a repeated attempt finds its run. */
  idempotencyKey: string;
};

const nobodyWaits = new AbortController().signal;

/**
 * Starts a run for somebody who does not wait for it, with the permissions that person has now. Durable work may call it again and again:
 * the key makes it one run.
 * @throws AppError as `startRun`, and `unauthenticated` or `forbidden` when nobody may act for the reference any more
 */
export async function startRunFor(
  ref: ActorRef,
  { workspaceId, agentId, conversationId, message, attachments, idempotencyKey }: Work,
): Promise<Run> {
  const actor = requirePermission(await actorFromRef(ref, { workspaceId, requestId: idempotencyKey }), "turns:write");
  const draft = RunDraft.safeParse({ message, conversationId, ...(attachments?.length ? { attachments } : {}) });
  // Another attempt would send the same message, so this is no fault that time lifts.
  if (!draft.success) throw new AppError("invalid", unsendable(message, draft.error.issues[0]?.message ?? "it is not valid"));
  return startRun(actor, { agentId, draft: draft.data, idempotencyKey, signal: nobodyWaits });
}

const unsendable = (message: string, why: string): string =>
  message === ""
    ? "The agent's message is empty. Send an input, or write more than placeholders into the prompt."
    : `The agent's message cannot be sent: ${why}. Change the prompt or the input, and start again.`;

/** Returns true for a refusal that time may lift: the agent is at its limit of runs, or something is away. */
export const mayStartLater = (error: unknown): boolean =>
  !isAppError(error) || error.code === "too_many_requests" || error.code === "unavailable";

/** Returns true when whoever the work acts for may not act any more. */
export const isRefusedActor = (error: unknown): boolean =>
  isAppError(error) && (error.code === "unauthenticated" || error.code === "forbidden");
