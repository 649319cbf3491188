import type { KeptContents } from "@/contracts/calls/call-contents";
import type { JsonObject } from "@/contracts/common";
import type { Decision } from "@/contracts/decisions/decision";
import type { Refusal } from "@/contracts/guard/refusals";
import type { ApprovalRow } from "@/server/approvals/settlement";
import type { AnyTool } from "@/server/tools/define-tool";
import type { PreparedCall } from "@/server/tools/prepare-call";
import type { RegisteredTool } from "@/server/tools/registered-tool";
import type { Outcome } from "./outcome";
import type { CallRow } from "./read/present-turn";
import type { TurnContext } from "./turn-context";

/** An open call with its tool and parsed arguments, or the outcome of a call that is not decided at all. */
export type PlannedCall = { row: CallRow } & ({ dropped: Outcome } | { prepared: PreparedCall; approval: ApprovalRow | null });

/** The open calls of a turn in order, under the newest configuration. */
export type Plan = {
  context: TurnContext;
  calls: PlannedCall[];
  /** All calls of the turn in order, also those that are over. */
  rows: readonly CallRow[];
};

/** A call that may start. Its arguments are the ones that were decided on, and are run and recorded. */
export type ReadyCall = {
  row: CallRow;
  registered: RegisteredTool;
  tool: AnyTool;
  arguments: JsonObject;
  /** The arguments before the tool completed them from the conversation's state; absent when it completes none. */
  given?: JsonObject;
  decision: Decision;
  /** The files for whose contents a person approved the call; checked again just before it starts. */
  contents?: KeptContents | null;
  /** Whether the call becomes a background job. */
  inBackground: boolean;
  /** The arguments that were asked and those that run, when an approver changed them; secrets are masked in both. */
  edited?: { asked: JsonObject; run: JsonObject };
  /** Comments of the approvers for the model. */
  comments?: readonly string[];
};

/** The cached result of an earlier equal call; used only when the guard lets this call run. */
export type CachedResult = { value: JsonObject };

/** A call about which people are asked; `voided` is its earlier approval, which holds no more. */
export type AskedCall = { kind: "ask"; call: ReadyCall; drift: string[]; voided: ApprovalRow | null };

/** The call at which the turn stops until a person has answered. */
export type Barrier = { kind: "waiting"; row: CallRow; approvalId: string } | AskedCall;

/** The open calls up to the barrier, sorted by what happens to them. */
export type Segment = {
  context: TurnContext;
  refused: Outcome[];
  /** Allowed calls that need not run, because a hook cached their result. */
  answered: { call: ReadyCall; cached: CachedResult }[];
  ready: ReadyCall[];
  barrier: Barrier | null;
  /** Calls behind the barrier about which people are asked together with it. */
  askedTogether: AskedCall[];
  /** Rows that hooks have changed. */
  hooked: CallRow[];
  /** Refusals of this segment that the conversation remembers. */
  refusals: Refusal[];
  /** Ids of earlier refused calls that no longer count, because a person approved a call in spite of them. */
  forgiven: string[];
};
