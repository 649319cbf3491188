import "server-only";
import { and, eq, sql } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import { maxCallsPerTurn, type SubmittedCall, type Turn, type TurnDraft } from "@/contracts/turns";
import { toolCalls, turns } from "@/db/schema";
import { type Holder, refOf } from "@/server/auth/actor";
import { findConversation } from "@/server/conversations/find-conversation";
import { appendTurnEvents } from "@/server/conversations/turn-events";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { bootId, newId } from "@/server/platform/ids";
import { maxArgumentDepth, shapeOf } from "@/server/platform/json-shape";
import { isForeignKeyViolation } from "@/server/platform/sql-state";
import { isStorable, storableText } from "@/server/platform/storable";
import { advanceInBackground } from "./advance-turn";
import { readTurn } from "./load-turn";
import { isFinished, waitForTurn } from "./wait-for-turn";

type Submission = { conversationId: string; draft: TurnDraft; idempotencyKey: string | null; signal: AbortSignal };

const tooMany = (count: number) =>
  `This call was dropped: the reply had ${count} calls and at most ${maxCallsPerTurn} run. Re-issue the most important ones in your next response.`;

/**
 * Stores the calls of one model reply and starts them. Once this has committed the turn is never lost: the process that
 * took it works on it, and when that dies another one goes on.
 * @returns the turn when it finished or was suspended within `wait` seconds, else as it stands then.
 */
export async function submitTurn(
  actor: Holder<"turns:write">,
  { conversationId, draft, idempotencyKey, signal }: Submission,
): Promise<Turn> {
  const conversation = await findConversation(actor, conversationId);
  const requestDigest = sha256(canonicalJson(draft.calls));
  const turnId = await db()
    .transaction(async (tx) => {
      const [turn] = await tx
        .insert(turns)
        .values({
          workspaceId: conversation.workspaceId,
          conversationId,
          idempotencyKey,
          requestDigest,
          requestedBy: refOf(actor),
          claimedBy: bootId(),
        })
        .onConflictDoNothing({ target: [turns.conversationId, turns.idempotencyKey], where: sql`${turns.idempotencyKey} is not null` })
        .returning({ id: turns.id });
      if (!turn) return null;
      await tx
        .insert(toolCalls)
        .values(draft.calls.map((call, position) => callRow(conversation.workspaceId, turn.id, call, position, draft.calls.length)));
      await appendTurnEvents(tx, turn.id, [
        { event: "turn.started", data: { turnId: turn.id, conversationId, calls: draft.calls.length } },
      ]);
      return turn.id;
    })
    .catch((error: unknown) => {
      throw isForeignKeyViolation(error) ? new AppError("not_found", "This conversation was deleted meanwhile.") : error;
    });
  if (turnId) advanceInBackground(turnId);
  const submitted = turnId ?? (await earlierTurn(conversationId, idempotencyKey ?? "", requestDigest));
  const turn = await readTurn(submitted);
  if (turn.status !== "running" || draft.wait === 0) return turn;
  return waitForTurn(submitted, draft.wait, signal);
}

/** 200 when there is nothing left to wait for, 202 with the address to poll otherwise. */
export function statusOf(turn: Turn): { status: number; headers?: Record<string, string> } {
  return isFinished(turn) ? { status: 200 } : { status: 202, headers: { location: `/api/v1/turns/${turn.id}` } };
}

async function earlierTurn(conversationId: string, idempotencyKey: string, requestDigest: string): Promise<string> {
  const [turn] = await db()
    .select({ id: turns.id, requestDigest: turns.requestDigest })
    .from(turns)
    .where(and(eq(turns.conversationId, conversationId), eq(turns.idempotencyKey, idempotencyKey)));
  if (!turn) throw new AppError("not_found", "This turn does not exist any more.");
  if (turn.requestDigest !== requestDigest) {
    throw new AppError(
      "idempotency_mismatch",
      `The Idempotency-Key "${idempotencyKey}" was used for turn ${turn.id} with other calls. Send a new key with new calls.`,
    );
  }
  return turn.id;
}

function callRow(workspaceId: string, turnId: string, call: SubmittedCall, position: number, count: number): typeof toolCalls.$inferInsert {
  const row = {
    id: newId(),
    workspaceId,
    turnId,
    position,
    runtimeId: call.id,
    requestedName: call.name,
    name: call.name,
    ...asStored(call.arguments),
  };
  if (position < maxCallsPerTurn) return row;
  return { ...row, status: "failed", isError: true, content: tooMany(count), finishedAt: new Date() };
}

/** Text is kept as text until it is parsed, and so are arguments that Postgres cannot store as JSON. */
function asStored(args: SubmittedCall["arguments"]): { arguments: JsonObject; rawArguments: string | null } {
  if (typeof args === "string") return { arguments: {}, rawArguments: storableText(args) };
  return shapeOf(args).depth <= maxArgumentDepth && isStorable(args)
    ? { arguments: args, rawArguments: null }
    : { arguments: {}, rawArguments: JSON.stringify(args) };
}
