import "server-only";
import { and, eq } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import type { SubmittedCall, Turn, TurnDraft } from "@/contracts/turns";
import { turns } from "@/db/schema";
import { type Holder, refOf } from "@/server/auth/actor";
import { type ConversationRow, deletedMeanwhile, findConversation } from "@/server/conversations/find-conversation";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { bootId, newId } from "@/server/platform/ids";
import { maxArgumentDepth, shapeOf } from "@/server/platform/json-shape";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { isStorable, storableText } from "@/server/platform/storable";
import { demandReachableAddress } from "@/server/webhooks/demand-reachable-address";
import { admit } from "./admission";
import { deliverJobs } from "./background/deliver-jobs";
import { type LiveTurn, newTurn, note } from "./live-turn";
import { readTurn } from "./load-turn";
import { newCall } from "./new-call";
import { presentTurn, type TurnRow } from "./present-turn";
import { runTurn, SubmittedBefore } from "./run-turn";
import { isFinished, restsWithin, waitForTurn } from "./wait-for-turn";
import type { Work } from "./working-turns";

type Submission = { conversationId: string; draft: TurnDraft; idempotencyKey: string | null; signal: AbortSignal };

/**
 * Takes the calls of one model reply and starts them. Once this has answered the turn is never lost: the process that
 * took it works on it, and when that dies another one goes on.
 * @returns the turn when it finished or was suspended within `wait` seconds, else as it stands then.
 * @throws AppError `not_found`, `idempotency_mismatch`, `too_many_requests`.
 */
export async function submitTurn(
  actor: Holder<"turns:write">,
  { conversationId, draft, idempotencyKey, signal }: Submission,
): Promise<Turn> {
  const conversation = await findConversation(actor, conversationId);
  if (draft.callbackUrl) demandReachableAddress(draft.callbackUrl, "callbackUrl");
  const keyed = idempotencyKey ? { conversationId, idempotencyKey, requestDigest: requestDigestOf(draft) } : null;
  const earlier = keyed && (await earlierTurn(keyed));
  if (earlier) return answerEarlier(earlier, draft.wait, signal);
  // From here to where it is entered nothing waits, so that of equal submissions of one moment one begins.
  const twin = keyed && twinOf(keyed);
  const work = twin ?? begin(conversation, draft, keyed, actor);
  try {
    return await withFinishedJobs(conversation, await answerOf(work, draft.wait, signal));
  } catch (error) {
    if (!(error instanceof SubmittedBefore)) throw error;
    // Another replica was faster with the same key.
    const faster = keyed && (await earlierTurn(keyed));
    if (!faster) throw deletedMeanwhile();
    return answerEarlier(faster, draft.wait, signal);
  }
}

/** What makes two submissions the same: the calls, and where their end is told; how long somebody waits is no part of that. */
function requestDigestOf({ calls, callbackUrl }: TurnDraft): string {
  return sha256(canonicalJson(callbackUrl ? { calls, callbackUrl } : calls));
}

/** Begins to work on a new turn. @throws AppError `too_many_requests`. */
function begin(conversation: ConversationRow, draft: TurnDraft, keyed: Keyed | null, actor: Holder<"turns:write">): Work {
  const live = liveTurnOf(conversation, draft, keyed, actor);
  const leave = admit(conversation.workspaceId);
  const work = runTurn(live, { holdBack: draft.wait * 1_000 });
  if (keyed) enterKeyed(keyed, work);
  work.rested.then(leave, leave);
  return work;
}

/** The turn when it comes to rest within `wait` seconds, else as the database has it then. */
async function answerOf({ live, rested, known }: Work, wait: number, signal: AbortSignal): Promise<Turn> {
  const isAtRest = await restsWithin(rested, wait, signal);
  if (!isAtRest) await known;
  return isAtRest && cameToRestHere(live) ? presentTurn(live.turn, live.calls) : readTurn(live.turn.id);
}

/** Whether a turn that is not worked on any more came to rest here, rather than in other hands. */
function cameToRestHere({ turn, stored }: LiveTurn): boolean {
  return turn.status !== "running" && stored?.status === turn.status;
}

/** Tells, with a turn, what became of the conversation's background jobs since the one before. */
async function withFinishedJobs(conversation: ConversationRow, turn: Turn): Promise<Turn> {
  if (!conversation.hasJobs) return turn;
  // The turn is stored and its client must hear so; what is not told now comes with the next one.
  const finishedJobs = await deliverJobs(conversation.id, turn.id).catch((error) => {
    log().warn({ err: error, turnId: turn.id }, "finished jobs could not be told with a turn");
    return [];
  });
  return finishedJobs.length > 0 ? { ...turn, finishedJobs } : turn;
}

/** 200 when there is nothing left to wait for, 202 with the address to poll otherwise. */
export function statusOf(turn: Turn): { status: number; headers?: Record<string, string> } {
  return isFinished(turn) ? { status: 200 } : { status: 202, headers: { location: `/api/v1/turns/${turn.id}` } };
}

type Keyed = { conversationId: string; idempotencyKey: string; requestDigest: string };

/** How long a turn that rests is still found by its key here, without asking the database. */
const rememberedMs = 1_000;

/** Turns under way here, by the key that they were submitted under: the database may not have heard of them yet. */
const keyedWork = () => processWide("keyedTurns", () => new Map<string, { requestDigest: string; work: Work }>());
const keyOf = ({ conversationId, idempotencyKey }: Keyed) => `${conversationId} ${idempotencyKey}`;

function enterKeyed(keyed: Keyed, work: Work): void {
  const key = keyOf(keyed);
  keyedWork().set(key, { requestDigest: keyed.requestDigest, work });
  // Whoever asked the database just before this turn was stored hears a moment later that there is none.
  const leave = () => setTimeout(() => keyedWork().delete(key), rememberedMs).unref();
  work.rested.then(leave, () => keyedWork().delete(key));
}

/** The same submission, when it is under way here. @throws AppError `idempotency_mismatch`. */
function twinOf(keyed: Keyed): Work | null {
  const twin = keyedWork().get(keyOf(keyed));
  if (twin && twin.requestDigest !== keyed.requestDigest) throw mismatch(keyed.idempotencyKey, twin.work.live.turn.id);
  return twin?.work ?? null;
}

/** The turn that was submitted under this key before. @throws AppError `idempotency_mismatch`. */
async function earlierTurn({ conversationId, idempotencyKey, requestDigest }: Keyed): Promise<string | null> {
  const [turn] = await db()
    .select({ id: turns.id, requestDigest: turns.requestDigest })
    .from(turns)
    .where(and(eq(turns.conversationId, conversationId), eq(turns.idempotencyKey, idempotencyKey)));
  if (turn && turn.requestDigest !== requestDigest) throw mismatch(idempotencyKey, turn.id);
  return turn?.id ?? null;
}

function mismatch(idempotencyKey: string, turnId: string): AppError {
  return new AppError(
    "idempotency_mismatch",
    `The Idempotency-Key "${idempotencyKey}" was used for turn ${turnId} with other calls or another callbackUrl. Send a new key with a new submission.`,
  );
}

async function answerEarlier(turnId: string, wait: number, signal: AbortSignal): Promise<Turn> {
  const turn = await readTurn(turnId);
  return turn.status !== "running" || wait === 0 ? turn : waitForTurn(turnId, wait, signal);
}

function liveTurnOf(conversation: ConversationRow, draft: TurnDraft, keyed: Keyed | null, actor: Holder<"turns:write">): LiveTurn {
  const now = new Date();
  const turn: TurnRow = {
    id: newId(),
    workspaceId: conversation.workspaceId,
    conversationId: conversation.id,
    status: "running",
    idempotencyKey: keyed?.idempotencyKey ?? null,
    requestDigest: keyed?.requestDigest ?? "",
    requestedBy: refOf(actor),
    claimedBy: bootId(),
    cancelRequestedAt: null,
    version: 0,
    answeredAt: null,
    callbackUrl: draft.callbackUrl ?? null,
    eventCount: 0,
    finishedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  const live = newTurn(
    turn,
    draft.calls.map((call, position) =>
      newCall(turn, position, { runtimeId: call.id, requestedName: storableText(call.name), ...asStored(call.arguments) }),
    ),
  );
  note(live, "turn.started", { turnId: turn.id, conversationId: turn.conversationId, calls: draft.calls.length });
  return live;
}

/** Text is kept as text until it is parsed, and so are arguments that Postgres cannot store as JSON. */
function asStored(args: SubmittedCall["arguments"]): { arguments: JsonObject; rawArguments: string | null } {
  if (typeof args === "string") return { arguments: {}, rawArguments: storableText(args) };
  return shapeOf(args).depth <= maxArgumentDepth && isStorable(args)
    ? { arguments: args, rawArguments: null }
    : { arguments: {}, rawArguments: JSON.stringify(args) };
}
