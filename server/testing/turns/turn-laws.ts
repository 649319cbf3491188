import { inArray } from "drizzle-orm";
import { expect } from "vitest";
import { type CallStatus, finalCallStatuses } from "@/contracts/calls/call-statuses";
import type { TurnStatus } from "@/contracts/turns/turns";
import { approvals, auditEvents, toolCalls, turnEvents, turns } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { callMoves, turnMoves } from "@/server/turns/allowed-transitions";
import { isHarmlessTool } from "./machine-tools";
import { listTransitions, type Transition } from "./transition-log";
import type { TurnMachine } from "./turn-machine";

const isFinalCall = (status: string | null) => (finalCallStatuses as readonly (string | null)[]).includes(status);

/** Asserts the invariants that hold after any sequence of events. */
export async function expectLawful(machine: TurnMachine): Promise<void> {
  const log = await listTransitions(machine.conversationIds);
  expect(log.filter((transition) => !isLawful(transition))).toEqual([]);
  expectOneEnd(log);
  await expectOneAuditRow(log, machine);
  await expectJournals(machine);
  await expectEffects(machine);
  await expectAnswersKept(machine);
}

/** Returns true when a write made one allowed move, or several moves that may be combined because nothing happens between them. */
function isLawful({ table, name, was, now }: Transition): boolean {
  if (table === "turns") {
    const to = now as TurnStatus;
    if (was === null) return to === "running" || turnMoves.running.includes(to);
    const from = was as TurnStatus;
    if (from === "completed" || from === "cancelled") return false;
    // A replica that resumes a suspended turn writes its claim together with its first move.
    return to === from || turnMoves[from].includes(to) || (from === "suspended" && turnMoves.running.includes(to));
  }
  const from = (was ?? "pending") as CallStatus;
  const to = now as CallStatus;
  if (isFinalCall(from)) return false;
  if (to === from || callMoves[from].includes(to)) return true;
  return isHarmlessTool(name) && callMoves[from].includes("running") && callMoves.running.includes(to);
}

/** Asserts that each call and each turn ends once, and is not written afterwards. */
function expectOneEnd(log: readonly Transition[]): void {
  for (const [id, writes] of Map.groupBy(log, (transition) => transition.id)) {
    const ends = writes.findIndex(({ table, now }) => (table === "turns" ? now === "completed" || now === "cancelled" : isFinalCall(now)));
    expect({ id, endsAt: ends, writes: writes.length }).toEqual({ id, endsAt: writes.length - 1, writes: writes.length });
  }
}

async function expectOneAuditRow(log: readonly Transition[], { bench, conversationIds }: TurnMachine): Promise<void> {
  const rows = await db().select().from(auditEvents).where(inArray(auditEvents.conversationId, conversationIds));
  const told = rows.flatMap(({ event, callId }) =>
    callId && event.startsWith("call.") && event !== "call.started" ? [`${event} ${callId}`] : [],
  );
  const begun = new Set(rows.flatMap(({ event, callId }) => (event === "call.started" ? [callId] : [])));
  const calls = await db()
    .select()
    .from(toolCalls)
    .where(inArray(toolCalls.id, [...rows.flatMap(({ callId }) => callId ?? []), crypto.randomUUID()]));
  // The audit records an effect before it happens.
  for (const { id, requestedName, arguments: args } of calls)
    if (requestedName !== "look" && requestedName !== "linger" && bench.effects.has(String(args.label))) expect(begun).toContain(id);
  const ended = log.filter(({ table, now }) => table === "tool_calls" && isFinalCall(now)).map(({ id, now }) => `call.${now} ${id}`);
  expect(told.toSorted()).toEqual(ended.toSorted());
}

/** Asserts that journals count from 1 without a gap, begin and end once, and report the end of each call once. */
async function expectJournals({ conversationIds }: TurnMachine): Promise<void> {
  const rows = await db().select().from(turns).where(inArray(turns.conversationId, conversationIds));
  for (const { id, eventCount, status } of rows) {
    if (eventCount === 0) continue;
    const events = await db()
      .select()
      .from(turnEvents)
      .where(inArray(turnEvents.turnId, [id]))
      .orderBy(turnEvents.seq);
    const calls = await db()
      .select()
      .from(toolCalls)
      .where(inArray(toolCalls.turnId, [id]));
    const names = events.map(({ event }) => event);
    expect({ id, seqs: events.map(({ seq }) => seq) }).toEqual({ id, seqs: Array.from({ length: eventCount }, (_, place) => place + 1) });
    expect(names[0]).toBe("turn.started");
    expect(names.filter((name) => name === "turn.started")).toHaveLength(1);
    expect(names.indexOf("turn.finished")).toBe(names.length - 1);
    expect(events.at(-1)?.data).toMatchObject({ status });
    const finished = events.flatMap(({ event, data }) => (event === "call.finished" ? [String(data.callId)] : []));
    expect(finished.toSorted()).toEqual(calls.map((call) => call.id).toSorted());
  }
}

/** Asserts that unrepeatable effects happened once, forbidden effects did not happen, and reported effects happened. */
async function expectEffects({ bench, conversationIds, approved }: TurnMachine): Promise<void> {
  for (const [label, times] of bench.effects)
    if (!isHarmlessTool(label.split(" ")[0] ?? "")) expect(`${label}: ${times}`).toBe(`${label}: 1`);
  const rows = await db().select({ id: turns.id }).from(turns).where(inArray(turns.conversationId, conversationIds));
  const calls = await db()
    .select()
    .from(toolCalls)
    .where(inArray(toolCalls.turnId, [...rows.map(({ id }) => id), crypto.randomUUID()]));
  for (const { requestedName, arguments: args, status, approvalId } of calls) {
    const label = String(args.label);
    const happened = bench.effects.has(label);
    if (status === "succeeded") expect(`${label} happened: ${happened}`).toBe(`${label} happened: true`);
    if (["denied", "rejected", "expired", "pending"].includes(status))
      expect(`${label} happened: ${happened}`).toBe(`${label} happened: false`);
    if (requestedName === "ask" && happened) expect(approved).toContain(approvalId);
  }
  const open = await db().select().from(approvals).where(inArray(approvals.conversationId, conversationIds));
  expect(open.filter(({ status }) => status === "pending")).toEqual([]);
}

/** Asserts that the rows still hold what clients were answered: the turn, and the end of each finished call. */
async function expectAnswersKept({ answers }: TurnMachine): Promise<void> {
  for (const answer of answers) {
    const [turn] = await db()
      .select()
      .from(turns)
      .where(inArray(turns.id, [answer.id]));
    // The turn was deleted with its conversation.
    if (!turn) continue;
    const rows = await db()
      .select()
      .from(toolCalls)
      .where(inArray(toolCalls.turnId, [answer.id]));
    if (answer.status === "completed" || answer.status === "cancelled") expect(turn.status).toBe(answer.status);
    for (const call of answer.calls) {
      if (!isFinalCall(call.status)) continue;
      const row = rows.find(({ id }) => id === call.callId);
      expect({ status: row?.status, content: row?.content }).toEqual({ status: call.status, content: call.content });
    }
  }
}
