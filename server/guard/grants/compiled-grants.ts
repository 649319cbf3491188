import type { TraceStep } from "@/contracts/decision";
import type { GrantMatch, GrantScope, GrantSeverity } from "@/contracts/grants";
import type { KeptMatch } from "@/db/schema";
import type { CallContext } from "../asked-call";
import type { CallOnTrial } from "../call-on-trial";

/** What the guard needs to know of a grant. */
export type GrantContent = {
  id: string;
  scope: GrantScope;
  scopeId: string | null;
  tool: string;
  match: KeptMatch;
  maxSeverity: GrantSeverity;
  /** Milliseconds since 1970; null never. */
  expiresAt: number | null;
  grantedBy: { name: string };
};

export type CompiledGrant = Omit<GrantContent, "match"> & {
  kind: GrantMatch["kind"];
  /** Whether a call to its tool is one that was approved in advance. */
  tryOn: (call: CallOnTrial, now: number) => { result: TraceStep["result"]; why: () => string };
};

/** The grants of a workspace, found by tool and by whom they are for. */
export type CompiledGrants = {
  /** Those that may cover a call: for its conversation, its agent, its user and the workspace, in this order, newest first. */
  candidatesFor: (tool: string, context: CallContext) => readonly CompiledGrant[];
};

const none: readonly CompiledGrant[] = [];
export const noGrants: CompiledGrants = { candidatesFor: () => none };
