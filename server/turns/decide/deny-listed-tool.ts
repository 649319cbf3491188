import { decide } from "@/server/guard/decide";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { toGuardContext } from "../guard-context";
import { type Outcome, sentences } from "../outcome";
import type { CallRow } from "../read/present-turn";
import type { TurnContext } from "../turn-context";
import { withActionHash } from "./action-hash";

/**
 * Refuses a call to a tool on the list of denied tools; returns null for every other call. This check runs before all
 * others, because a missing tool or wrong arguments would explain less than the denial.
 */
export function denyListedTool(context: TurnContext, row: CallRow): Outcome | null {
  const registered = context.scope.catalog.find(row.requestedName.trim());
  if (!registered || context.policy.deniedBy(registered) === null) return null;
  const { name } = registered;
  const request = { tool: registered, arguments: row.arguments, context: toGuardContext(context) };
  const decision = withActionHash(decide(context.policy, request, sharedNowMs()), registered, row.arguments, context.agent.name);
  return { callId: row.id, status: "denied", text: sentences.denied(name, decision.reason), name, arguments: row.arguments, decision };
}
