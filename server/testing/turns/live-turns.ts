import { type Actor, toActorRef } from "@/server/auth/actor";
import { bootId, newId } from "@/server/platform/ids";
import { appendEvent, type LiveTurn, newTurn } from "@/server/turns/live-turn";
import { newCall } from "@/server/turns/new-call";
import type { TurnRow } from "@/server/turns/read/present-turn";

/** Builds the row of a running turn that no process has claimed and the database has not seen yet. */
export function turnRow(actor: Actor, conversationId: string, values: Partial<TurnRow> = {}): TurnRow {
  const now = new Date();
  return {
    id: newId(),
    workspaceId: actor.workspaceId,
    conversationId,
    status: "running",
    idempotencyKey: null,
    requestDigest: "",
    requestedBy: toActorRef(actor),
    claimedBy: null,
    cancelRequestedAt: null,
    version: 0,
    answeredAt: null,
    callbackUrl: null,
    machine: null,
    eventCount: 0,
    finishedAt: null,
    createdAt: now,
    updatedAt: now,
    ...values,
  };
}

/** Builds a turn of this process, with one pending call per name, that the database has not seen yet. */
export function liveTurn(actor: Actor, conversationId: string, names: readonly string[], values: Partial<TurnRow> = {}): LiveTurn {
  const turn = turnRow(actor, conversationId, { claimedBy: bootId(), ...values });
  const live = newTurn(
    turn,
    names.map((name, position) =>
      newCall(turn, position, { runtimeId: `c${position}`, requestedName: name, arguments: {}, rawArguments: null, carriedBy: null }),
    ),
  );
  appendEvent(live, "turn.started", { turnId: turn.id });
  return live;
}
