import { approvalEndpoints } from "@/contracts/approvals/approvals";
import type { JsonObject } from "@/contracts/common";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { type Turn, turnEndpoints } from "@/contracts/turns/turns";
import type { Caller } from "../caller";

export type RequestedCall = { name: string; arguments?: JsonObject };

/** Submits a turn in a conversation of its own and answers as soon as it waits for a person, or is done. */
export async function submitTurn(agent: Caller, calls: readonly RequestedCall[]): Promise<Turn> {
  const { id } = await agent.call(conversationEndpoints.create, { body: {} });
  return submitTurnIn(agent, id, calls);
}

/** Submits a turn in a conversation that is there; answers when it rests, or after `wait` seconds. */
export function submitTurnIn(agent: Caller, conversationId: string, calls: readonly RequestedCall[], wait = 20): Promise<Turn> {
  const body = { calls: calls.map((call, place) => ({ id: `call_${place + 1}`, ...call })), wait };
  return agent.call(turnEndpoints.submit, { params: { id: conversationId }, body });
}

/** A turn whose only call waits for a person: writing this file. */
export async function requestWrite(agent: Caller, path: string, content = "written"): Promise<{ turn: Turn; approvalId: string }> {
  const turn = await submitTurn(agent, [{ name: "write_file", arguments: { path, content } }]);
  const approvalId = turn.calls[0]?.approvalId;
  if (!approvalId) throw new Error(`The call asks nobody: ${JSON.stringify(turn.calls)}`);
  return { turn, approvalId };
}

/** A turn that runs: a person approved its command, which sleeps for minutes. */
export async function startLongTurn(agent: Caller, approver: Caller): Promise<Turn> {
  const turn = await submitTurn(agent, [{ name: "shell_execute", arguments: { command: "sleep 240", timeoutSeconds: 240 } }]);
  const id = turn.calls[0]?.approvalId ?? "";
  await approver.call(approvalEndpoints.decide, { params: { id }, body: { decision: "approve", comment: "Take your time." } });
  return turn;
}

/** The turn when it has ended; a long poll. */
export function waitForEnd(agent: Caller, turnId: string): Promise<Turn> {
  return agent.call(turnEndpoints.get, { params: { id: turnId }, query: { wait: 30 } });
}
