import "server-only";
import { and, eq, isNotNull, lt, lte, or, sql } from "drizzle-orm";
import type { Turn } from "@/contracts/turns/turns";
import type { Db } from "@/db/client";
import { apiKeys, approvals, toolCalls, turns } from "@/db/schema";
import { settleApproval } from "@/server/approvals/settle-approval";
import { type Actor, type Authorized, systemActor, toActorRef } from "@/server/auth/actor";
import { lockTurn } from "@/server/conversations/turn-events";
import { runsCommands } from "@/server/guard/call/tool-facts";
import { db } from "@/server/platform/database/database";
import { retryOnConflict } from "@/server/platform/database/retry-on-conflict";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { log } from "@/server/platform/log";
import { signalOnCommit } from "@/server/platform/signals/bus";
import { loadCallFacts } from "../call-facts";
import { requestCancel } from "../cancel-turn";
import { countFailures } from "../decide/count-failures";
import { maskOutcome } from "../execute/mask-outcome";
import { runAfterHooks } from "../hooks/after-hooks";
import { isFinal, type LiveTurn, storedTurn } from "../live-turn";
import { type Outcome, sentences } from "../outcome";
import { prepareRow } from "../prepare-row";
import { loadTurn, loadTurnIn, readTurn } from "../read/load-turn";
import type { CallRow } from "../read/present-turn";
import { findResultLimits } from "../result-limits";
import { saveFinishedIn } from "../save/save-finished";
import { saveTurn } from "../save/save-turn";
import type { ReadyCall } from "../step-data";
import { finishTurn } from "../transitions/finish-turn";
import { releaseCall } from "../transitions/release-call";
import { settleCall } from "../transitions/settle-call";
import { loadTurnContext } from "../turn-context";

/** A client's report of a call that it has run. */
export type ClientResult = { status: "succeeded" | "failed"; text: string; durationMs?: number | undefined };

/** The outcome of a report. `replaced`: the result without its secrets, which the client is to show in place of its own. */
export type Reported =
  | { kind: "recorded"; replaced: string | null }
  | { kind: "repeated"; replaced: string | null }
  | { kind: "not_released" };

/**
 * Records the result of a call that its client has run: masked, hooked, counted by the loop guard and bounded like every
 * result. A call that was still waiting for a person was allowed at the client itself, when `answeredThere` says that the client
 * asks, too; otherwise nobody released it, and nothing is recorded as its result.
 */
export async function reportClientResult(
  actor: Authorized<"guard:ask">,
  turnId: string,
  result: ClientResult,
  { answeredThere = false }: { answeredThere?: boolean } = {},
): Promise<Reported> {
  const loaded = await loadTurn(turnId);
  const row = loaded?.calls[0];
  if (!loaded || !row) return { kind: "not_released" };
  const isRepeated = isReported(row);
  const isThere = row.status === "awaiting_approval" && answeredThere;
  if (row.status !== "released" && !isThere && !isRepeated) return { kind: "not_released" };
  const context = await loadTurnContext(loaded.turn);
  const [opened = row] = storedTurn(loaded.turn, loaded.calls).calls;
  const prepared = prepareRow(context, opened);
  const decision = row.decision;
  if (prepared.kind === "failed" || decision === null) {
    return isRepeated ? { kind: "repeated", replaced: sentences.unmasked(row.name) } : { kind: "not_released" };
  }
  const call: ReadyCall = { ...prepared, row: opened, arguments: opened.arguments, decision };
  const plain: Outcome = {
    callId: row.id,
    status: result.status,
    text: result.text,
    // A command that ran and failed has answered, like a failing test of our own shell.
    ...(result.status === "failed" && runsCommands(call.registered) ? { isAnswer: true } : {}),
    ...(result.durationMs === undefined ? {} : { durationMs: result.durationMs }),
  };
  const masked = context.results.maskSecrets ? await maskOutcome(plain, call.registered.name) : plain;
  const hooked = await runAfterHooks(context, call, masked);
  // Nothing of a second report is recorded, and the model must not read more in it than in the first.
  if (isRepeated) return { kind: "repeated", replaced: replacedBy(hooked, result) };
  const outcome = await countFailures(context.conversation, call, hooked);
  const close = isThere ? (tx: Db) => closeQuestion(tx, actor, row) : undefined;
  const isRecorded = await changeSuspended(turnId, close, async (live) => {
    const [current] = live.calls;
    if (!current || (current.status !== "released" && current.status !== "awaiting_approval")) return false;
    if (current.status === "awaiting_approval") releaseCall(live, { ...call, row: current });
    await settleCall(live, { ...outcome, limits: findResultLimits(context, call.registered) });
    return true;
  });
  if (isRecorded) return { kind: "recorded", replaced: replacedBy(outcome, result) };
  const [now] = (await loadTurn(turnId))?.calls ?? [];
  // Another report of the same result was faster.
  return now && isReported(now) ? { kind: "repeated", replaced: replacedBy(hooked, result) } : { kind: "not_released" };
}

const replacedBy = ({ text }: Pick<Outcome, "text">, result: ClientResult): string | null => (text === result.text ? null : text);

const isReported = ({ status, deliveredAt }: CallRow): boolean => status === "succeeded" || (status === "failed" && deliveredAt !== null);

/** Cancels the question about a call that a person has answered at the client. */
async function closeQuestion(tx: Db, actor: Actor, call: CallRow): Promise<void> {
  const [approval] = await tx
    .select()
    .from(approvals)
    .where(and(eq(approvals.callId, call.id), eq(approvals.status, "pending")));
  if (approval) await settleApproval(approval, { status: "cancelled", actor: toActorRef(actor), requestId: actor.requestId }, tx);
}

/**
 * Changes a client's turn that rests, and ends it when its calls are over.
 * @param before runs under the turn's lock before the turn is read
 * @returns false when there is nothing to change
 */
async function changeSuspended(
  turnId: string,
  before: ((tx: Db) => Promise<void>) | undefined,
  change: (live: LiveTurn) => Promise<boolean>,
): Promise<boolean> {
  const known = await loadTurn(turnId);
  // Loaded before the transaction, because code that holds a connection must not wait for a second one.
  const facts = known ? await loadCallFacts(known.turn) : null;
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const locked = await lockTurn(tx, turnId);
      if (locked?.status !== "suspended") return false;
      await before?.(tx);
      const loaded = await loadTurnIn(tx, turnId);
      if (!loaded) return false;
      const live = { ...storedTurn(loaded.turn, loaded.calls), facts };
      if (!(await change(live))) return false;
      const isOver = live.calls.every(isFinal);
      if (isOver) finishTurn(live);
      if (!(await (isOver ? saveFinishedIn(tx, live) : saveTurn(live, tx)))) throw new Error("a locked turn was not saved");
      await signalOnCommit(tx, { topic: "turn", turnId });
      return true;
    }),
  );
}

/** Stops a client's call: its question is withdrawn, and a release counts no more. A call that is over stays as it is. */
export async function cancelClientCall(actor: Authorized<"guard:ask">, turnId: string): Promise<Turn> {
  await cancelAs(actor, turnId);
  return readTurn(turnId);
}

async function cancelAs(actor: Actor, turnId: string): Promise<void> {
  const { conversationId } = await readTurn(turnId);
  const facts = await loadCallFacts({ workspaceId: actor.workspaceId, conversationId });
  await retryOnConflict(() => db().transaction((tx) => requestCancel(tx, actor, turnId, { facts })));
}

/** At most this many calls are ended in one pass. */
const atOnce = 500;

/** Withdraws the questions of API keys that were revoked or have expired: no client can be told the answer. */
export async function cancelForEndedKeys(): Promise<void> {
  const found = await db()
    .selectDistinct({ turnId: turns.id, workspaceId: turns.workspaceId })
    .from(turns)
    .innerJoin(approvals, and(eq(approvals.turnId, turns.id), eq(approvals.status, "pending")))
    .innerJoin(apiKeys, and(eq(apiKeys.workspaceId, turns.workspaceId), eq(sql`${apiKeys.id}::text`, sql`${turns.requestedBy} ->> 'id'`)))
    .where(
      and(isNotNull(turns.machine), eq(turns.status, "suspended"), or(isNotNull(apiKeys.revokedAt), lte(apiKeys.expiresAt, sharedNow()))),
    )
    .limit(atOnce);
  for (const { turnId, workspaceId } of found) {
    const handrail: Actor = {
      ...{ ...systemActor, workspaceId, role: null, permissions: new Set() },
      ...{ agentId: null, personId: systemActor.id, requestId: null },
    };
    await cancelAs(handrail, turnId).catch((error) =>
      log().warn({ err: error, turnId }, "the question of an ended key was not withdrawn yet"),
    );
  }
}

/**
 * Ends released calls whose results nobody reported: their outcome is unknown. They are never run or repeated by Handrail.
 * @param where the calls of one conversation, or all that were released before a time
 */
export async function endUnreported(where: { conversationId: string } | { releasedBefore: Date }): Promise<number> {
  const found = await db()
    .selectDistinct({ turnId: turns.id })
    .from(turns)
    .innerJoin(toolCalls, eq(toolCalls.turnId, turns.id))
    .where(
      and(
        isNotNull(turns.machine),
        eq(turns.status, "suspended"),
        eq(toolCalls.status, "released"),
        "conversationId" in where ? eq(turns.conversationId, where.conversationId) : lt(toolCalls.startedAt, where.releasedBefore),
      ),
    )
    .limit(atOnce);
  let ended = 0;
  for (const { turnId } of found) {
    const isEnded = await changeSuspended(turnId, undefined, async (live) => {
      for (const call of live.calls) {
        if (call.status !== "released") continue;
        await settleCall(live, { callId: call.id, status: "interrupted", text: sentences.unreported(call.name) });
      }
      return true;
    }).catch((error) => {
      // A call that cannot be ended must not delay the rest.
      log().warn({ err: error, turnId }, "a released call without a result could not be ended yet");
      return false;
    });
    if (isEnded) ended += 1;
  }
  return ended;
}
