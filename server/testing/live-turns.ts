import type { CallStatus } from "@/contracts/turns";
import { type Actor, refOf } from "@/server/auth/actor";
import { bootId, newId } from "@/server/platform/ids";
import { type LiveTurn, newTurn, note } from "@/server/turns/live-turn";
import type { CallRow, TurnRow } from "@/server/turns/present-turn";

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
    callbackUrl: null,
    eventCount: 0,
    finishedAt: null,
    createdAt: now,
    updatedAt: now,
    ...values,
  };
  const live = newTurn(
    turn,
    names.map((name, position) => callRow(turn, name, position)),
  );
  note(live, "turn.started", { turnId: turn.id });
  return live;
}

function callRow({ id: turnId, workspaceId, createdAt }: TurnRow, name: string, position: number): CallRow {
  const status: CallStatus = "pending";
  return {
    id: newId(),
    workspaceId,
    turnId,
    position,
    runtimeId: `c${position}`,
    requestedName: name,
    name,
    arguments: {},
    rawArguments: null,
    status,
    isError: false,
    content: "",
    contentParts: null,
    structuredContent: null,
    truncated: null,
    directContent: null,
    decision: null,
    approvalId: null,
    jobId: null,
    startedBy: null,
    durationMs: null,
    startedAt: null,
    finishedAt: null,
    createdAt,
  };
}
