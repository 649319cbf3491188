import { type Actor, refOf } from "@/server/auth/actor";
import { bootId, newId } from "@/server/platform/ids";
import { type LiveTurn, newTurn, note } from "@/server/turns/live-turn";
import { newCall } from "@/server/turns/new-call";
import type { TurnRow } from "@/server/turns/present-turn";

/** A turn of ours with one pending call a name, that the database has not seen yet. */
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
    requestedBy: refOf(actor),
    claimedBy: bootId(),
    cancelRequestedAt: null,
    version: 0,
    answeredAt: null,
    callbackUrl: null,
    eventCount: 0,
    finishedAt: null,
    createdAt: now,
    updatedAt: now,
    ...values,
  };
  const live = newTurn(
    turn,
    names.map((name, position) =>
      newCall(turn, position, { runtimeId: `c${position}`, requestedName: name, arguments: {}, rawArguments: null }),
    ),
  );
  note(live, "turn.started", { turnId: turn.id });
  return live;
}
