import "server-only";
import type { GuardedCall, GuardedCallDraft, GuardedCallResult } from "@/contracts/agents/coding-agents";
import type { Authorized } from "@/server/auth/actor";
import { AppError } from "@/server/platform/errors";
import { keepRepositoryPolicy } from "@/server/policy/repository-policies";
import { cancelClientCall, reportClientResult } from "@/server/turns/client/end-client-call";
import { findClientTurn } from "@/server/turns/client/find-client-turn";
import { isDecided } from "@/server/turns/client/submit-client-call";
import { readTurn } from "@/server/turns/read/load-turn";
import { askCall } from "./ask-call";
import { answerOfCall } from "./present-call";
import { type Waiting, waitWhileAllowed } from "./wait-while-allowed";

/** Asks whether a client may run a call, and waits for people as long as the caller says. */
export async function askGuardedCall(waiting: Waiting, draft: GuardedCallDraft): Promise<GuardedCall> {
  const { actor, signal } = waiting;
  const { client, version, session, callId = null, agent, tool, input, folder, cwd, home, links, host, user, repository, box } = draft;
  const facts = {
    ...{ client, version, session, agent, folder, home, repository, host, user, box },
    ...{ interactive: draft.interactive, hookTimeout: null, blocksOnFailure: null },
    policy: draft.policy === undefined ? undefined : (await keepRepositoryPolicy(actor.workspaceId, draft.policy)).digest,
  };
  const asked = { facts, callId, tool, input, folder, cwd, approvalSeconds: draft.approvalSeconds, ...(links ? { links } : {}) };
  const { judged, turn } = await askCall(actor, asked, signal);
  const decided = draft.desk && !isDecided(turn) ? turn : await waitWhileAllowed(waiting, turn, draft.wait);
  return answerOfCall(decided, { sent: judged, desk: draft.desk });
}

/** Returns a call of the actor's client, after waiting at most `seconds` for people. */
export async function getGuardedCall(waiting: Waiting, id: string, seconds: number): Promise<GuardedCall> {
  const { turnId } = await requireCall(waiting.actor, id);
  return answerOfCall(await waitWhileAllowed(waiting, await readTurn(turnId), seconds));
}

/** Records the result of a released call. @throws AppError `conflict` for a call that was not released */
export async function reportGuardedCall(
  actor: Authorized<"guard:ask">,
  id: string,
  { status, content, durationMs }: GuardedCallResult,
): Promise<{ replace: string | null }> {
  const { turnId } = await requireCall(actor, id);
  const reported = await reportClientResult(actor, turnId, { status, text: content, durationMs });
  if (reported.kind === "not_released") {
    throw new AppError(
      "conflict",
      "This call was not released, or is over, so it has no result. Ask with a new callId before a call is run.",
    );
  }
  return { replace: reported.replaced };
}

/** Withdraws a call of the actor's client. */
export async function cancelGuardedCall(actor: Authorized<"guard:ask">, id: string): Promise<GuardedCall> {
  const { turnId } = await requireCall(actor, id);
  return answerOfCall(await cancelClientCall(actor, turnId));
}

async function requireCall(actor: Authorized<"guard:ask">, callId: string): Promise<{ turnId: string }> {
  const found = await findClientTurn(actor, { callId });
  if (!found) throw new AppError("not_found", "This call does not exist, or another key asked about it. POST /api/v1/guarded-calls asks.");
  return found;
}
