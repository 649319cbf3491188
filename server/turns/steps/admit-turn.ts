import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { CallMachine } from "@/contracts/tools/machine";
import type { SubmittedCall, TurnDraft } from "@/contracts/turns/turns";
import { type Actor, toActorRef } from "@/server/auth/actor";
import type { ConversationRow } from "@/server/conversations/find-conversation";
import { seal } from "@/server/platform/crypto";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { isStorable, storableText } from "@/server/platform/database/storable";
import { writeExactJson } from "@/server/platform/formats/exact-json";
import { inspectJson, maxArgumentDepth } from "@/server/platform/formats/json-shape";
import { bootId, newId } from "@/server/platform/ids";
import { admit } from "../admission";
import type { Keyed } from "../keyed-turns";
import { appendEvent, type LiveTurn, newTurn } from "../live-turn";
import { newCall } from "../new-call";
import type { TurnRow } from "../read/present-turn";
import { takeCarriedCall } from "../take-carried-call";

/** A submission that starts a new turn. */
export type Admission = {
  actor: Actor;
  conversation: ConversationRow;
  draft: TurnDraft;
  keyed: Keyed | null;
  /** The machine on which a client runs the calls; absent when Handrail runs them. */
  machine?: CallMachine | null;
  /** Name of the tool as which a client's call is judged; the calls' own names when absent. */
  judgedAs?: string;
  /** Name of the tool whose app (MCP Apps) makes the calls. */
  appOf?: string;
  /** W3C Trace Context of the request. */
  traceparent: string | null;
};

/**
 * Step 1 of a turn: takes a place among the turns of this replica, and makes the turn in memory. Nothing is stored.
 * @throws AppError `too_many_requests`
 */
export function admitTurn(admission: Admission): { live: LiveTurn; leave: () => void } {
  const live = toLiveTurn(admission);
  return { live, leave: admit(live.turn.workspaceId) };
}

function toLiveTurn({ actor, conversation, draft, keyed, machine = null, judgedAs, appOf, traceparent }: Admission): LiveTurn {
  const now = sharedNow();
  const turn: TurnRow = {
    id: newId(),
    workspaceId: conversation.workspaceId,
    conversationId: conversation.id,
    status: "running",
    idempotencyKey: keyed?.idempotencyKey ?? null,
    requestDigest: keyed?.requestDigest ?? "",
    requestedBy: toActorRef(actor),
    claimedBy: bootId(),
    cancelRequestedAt: null,
    version: 0,
    answeredAt: null,
    callbackUrl: draft.callbackUrl ?? null,
    machine,
    eventCount: 0,
    finishedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  const live = newTurn(
    turn,
    draft.calls.map((submitted, position) => {
      const call = machine || appOf ? { ...submitted, carriedBy: appOf ?? null } : takeCarriedCall(submitted);
      return newCall(turn, position, {
        runtimeId: submitted.id,
        requestedName: storableText(call.name),
        carriedBy: call.carriedBy,
        sealedMeta: submitted.meta ? seal(JSON.stringify(submitted.meta)) : null,
        ...(judgedAs === undefined ? {} : { name: judgedAs }),
        ...asStored(call.arguments),
      });
    }),
  );
  if (traceparent !== null) live.traceparent = traceparent;
  appendEvent(live, "turn.started", { turnId: turn.id, conversationId: turn.conversationId, calls: draft.calls.length });
  return live;
}

/**
 * Converts submitted arguments to their columns. Text stays text until it is parsed, and so do arguments that Postgres
 * cannot store as JSON.
 */
function asStored(args: SubmittedCall["arguments"]): { arguments: JsonObject; rawArguments: string | null } {
  if (typeof args === "string") return { arguments: {}, rawArguments: storableText(args) };
  const { depth, hasInexactNumber } = inspectJson(args);
  return depth <= maxArgumentDepth && !hasInexactNumber && isStorable(args)
    ? { arguments: args, rawArguments: null }
    : { arguments: {}, rawArguments: writeExactJson(args) };
}
