import { type Actor, toActorRef } from "@/server/auth/actor";
import { bootId, newId } from "@/server/platform/ids";
import { appendEvent, type LiveTurn, newTurn } from "@/server/turns/live-turn";
import { newCall } from "@/server/turns/new-call";
import type { TurnRow } from "@/server/turns/read/present-turn";

/** Builds a turn of this process, with one pending call per name, that the database has not seen yet. */
export function liveTurn(actor: Actor, conversationId: string, names: readonly string[], values: Partial<TurnRow> = {}): LiveTurn {
  const { workspaceId } = actor;
  const now = new Date();
  const turn: TurnRow = {
    id: newId(),
    workspaceId,
    conversationId,
    status: "running",
    idempotencyKey: null,
    requestDigest: "",
    requestedBy: toActorRef(actor),
    claimedBy: bootId(),
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
  const live = newTurn(
    turn,
    names.map((name, position) =>
      newCall(turn, position, { runtimeId: `c${position}`, requestedName: name, arguments: {}, rawArguments: null, carriedBy: null }),
    ),
  );
  appendEvent(live, "turn.started", { turnId: turn.id });
  return live;
}
