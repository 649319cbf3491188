import type { KeptContents } from "@/contracts/calls/call-contents";
import type { TraceStep } from "@/contracts/decisions/decision";
import type { GrantMatch, GrantScope, GrantSeverity, KeptMatch } from "@/contracts/guard/grants";

import type { AnalyzedCall } from "../call/analyzed-call";
import type { GuardContext } from "../call/guard-request";

/** The part of a grant that the guard needs. */
export type GrantContent = {
  id: string;
  scope: GrantScope;
  scopeId: string | null;
  tool: string;
  /** Pin of the tool when the grant was made. */
  pinHash?: string | null;
  match: KeptMatch;
  /** The files for whose contents the grant holds; absent or null when it holds whatever the files say. */
  contents?: KeptContents | null;
  maxSeverity: GrantSeverity;
  /** Milliseconds since 1970; null when the grant never expires. */
  expiresAt: number | null;
  grantedBy: { name: string };
};

export type CompiledGrant = Omit<GrantContent, "match"> & {
  kind: GrantMatch["kind"];
  /** Tests whether the grant's match covers a call of its tool. */
  tryOn: (call: AnalyzedCall, now: number) => { result: TraceStep["result"]; why: () => string };
};

/** The grants of a workspace, indexed by tool and scope. */
export type CompiledGrants = {
  /**
   * Returns the grants that may cover a call: by conversation, repository, agent, user and workspace in this order, the newest
   * first in each.
   */
  candidatesFor: (tool: string, context: GuardContext) => readonly CompiledGrant[];
};

const none: readonly CompiledGrant[] = [];
export const noGrants: CompiledGrants = { candidatesFor: () => none };
