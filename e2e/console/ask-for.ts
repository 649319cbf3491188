import { conversationEndpoints } from "@/contracts/conversations";
import { type Turn, turnEndpoints } from "@/contracts/turns";
import type { Caller } from "../caller";

export type AskedCall = { name: string; arguments?: Record<string, string | number> };

/** Submits a turn in a conversation of its own and answers as soon as it waits for a person, or is done. */
export async function submitTurn(agent: Caller, calls: readonly AskedCall[]): Promise<Turn> {
  const { id } = await agent.call(conversationEndpoints.create, { body: {} });
  const body = { calls: calls.map((call, place) => ({ id: `call_${place + 1}`, ...call })), wait: 20 };
  return agent.call(turnEndpoints.submit, { params: { id }, body });
}

/** A turn whose only call waits for a person: writing this file. */
export async function askToWrite(agent: Caller, path: string, content = "written"): Promise<{ turn: Turn; approvalId: string }> {
  const turn = await submitTurn(agent, [{ name: "write_file", arguments: { path, content } }]);
  const approvalId = turn.calls[0]?.approvalId;
  if (!approvalId) throw new Error(`The call asks nobody: ${JSON.stringify(turn.calls)}`);
  return { turn, approvalId };
}

/** The turn when it has ended; a long poll. */
export function endOf(agent: Caller, turnId: string): Promise<Turn> {
  return agent.call(turnEndpoints.get, { params: { id: turnId }, query: { wait: 30 } });
}
