import { decide } from "@/server/guard/decide";
import { callContextOf } from "./call-context";
import { type Outcome, sentences } from "./outcome";
import type { CallRow } from "./present-turn";
import type { TurnContext } from "./turn-context";

/**
 * The refusal of a call to a tool on the list of denied tools; null for every other call. It comes before anything that
 * could fail about the call: that the tool is not offered, is not there or does not take these arguments says less.
 */
export function denyListed(context: TurnContext, row: CallRow): Outcome | null {
  const registered = context.scope.catalog.find(row.requestedName.trim());
  if (!registered || context.policy.deniedBy(registered) === null) return null;
  const { name } = registered;
  const decision = decide(context.policy, { tool: registered, arguments: row.arguments, context: callContextOf(context) });
  return { callId: row.id, status: "denied", text: sentences.denied(name, decision.reason), name, arguments: row.arguments, decision };
}
