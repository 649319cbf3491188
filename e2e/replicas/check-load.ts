import { readFile } from "node:fs/promises";
import path from "node:path";
import { auditEndpoints } from "@/contracts/audit/audit";
import { finalCallStatuses } from "@/contracts/calls/call-statuses";
import { type Call, type Turn, turnEndpoints } from "@/contracts/turns/turns";
import { buildPath } from "../caller";
import type { Cluster } from "./cluster";
import type { CountingServer } from "./counting-server";
import { fileOf, type Kind, type LoadResult } from "./load";

/** A process that was killed, and when (milliseconds since 1970). */
export type Kill = { bootId: string; name: string; at: number };

export type Verdict = {
  violations: string[];
  turns: number;
  calls: Record<string, number>;
  /** Of the interrupted calls, those that had left their id. */
  interruptedAfterEffect: number;
  recovered: number;
};

type Row = { event: string; callId: string | null; turnId: string | null; subject: string | null };

/** Compares what the API says about every turn with what really happened, and with the audit. */
export async function checkLoad(
  cluster: Cluster,
  { conversations, submissions, complaints }: LoadResult,
  { counter, kills, mayInterruptOthers = false }: { counter: CountingServer; kills: Kill[]; mayInterruptOthers?: boolean },
): Promise<Verdict> {
  const violations = [...complaints];
  const turns = (await Promise.all(conversations.map((id) => turnsOf(cluster, id)))).flat();
  const audit = await auditOf(cluster);
  const effects = await effectsOf(cluster, conversations, counter);
  const kindOf = new Map(submissions.flatMap(({ calls }) => calls.map(({ id, kind }) => [id, kind] as const)));
  const calls = turns.flatMap((turn) => turn.calls.map((call) => ({ ...call, turn, kind: kindOf.get(call.id) })));

  if (turns.length !== submissions.length) violations.push(`${submissions.length} turns were submitted and ${turns.length} exist`);
  for (const { id, status } of turns) if (status !== "completed") violations.push(`turn ${id} ended as ${status}`);

  let interruptedAfterEffect = 0;
  const finalEvents = Map.groupBy(
    audit.filter(({ event, callId }) => callId && finalCallStatuses.some((status) => event === `call.${status}`)),
    ({ callId }) => callId,
  );
  const intended = new Set(audit.flatMap(({ event, callId }) => (event === "call.started" ? [callId] : [])));
  for (const call of calls) {
    const what = `call ${call.id} (${call.kind}, ${call.status})`;
    if (!call.kind) {
      violations.push(`${what} was never submitted`);
      continue;
    }
    const happened = effects[call.kind].get(call.id) ?? 0;
    if (call.status === "interrupted" && happened > 0) interruptedAfterEffect += 1;
    const wrong = wrongEffect(call, call.kind, happened);
    if (wrong) violations.push(`${what} ${wrong}: ${call.content.slice(0, 200)}`);
    if (happened > 0 && call.kind !== "look" && !intended.has(call.callId))
      violations.push(`${what} happened without its intent in the audit`);
    const rows = finalEvents.get(call.callId) ?? [];
    if (rows.length !== 1 || rows[0]?.event !== `call.${call.status}`) {
      violations.push(`${what} has the audit rows [${rows.map(({ event }) => event).join(", ")}]`);
    }
  }
  const known = new Set(calls.map(({ callId }) => callId));
  for (const callId of finalEvents.keys())
    if (callId && !known.has(callId)) violations.push(`the audit tells of a call ${callId} that is not there`);

  const interrupted = calls.filter(({ status }) => status === "interrupted");
  violations.push(...(mayInterruptOthers ? [] : await unexplained(cluster, interrupted, kills)));
  const recoveredTurns = new Set(audit.filter(({ event }) => event === "turn.recovered").map(({ turnId }) => turnId));
  for (const { id, turn } of interrupted) {
    if (!recoveredTurns.has(turn.id)) violations.push(`call ${id} was interrupted, and the audit knows of no recovery`);
  }
  for (const { bootId, name } of kills) {
    const rows = audit.filter(({ event, subject }) => event === "replica.lost" && subject === bootId);
    if (rows.length !== 1) violations.push(`${name} (${bootId}) was killed, and the audit has ${rows.length} rows of that`);
  }
  violations.push(...(await brokenJournals(cluster, turns)));
  return {
    violations,
    turns: turns.length,
    calls: Object.fromEntries(countOf(calls.map(({ status }) => status))),
    interruptedAfterEffect,
    recovered: recoveredTurns.size,
  };
}

/** Never twice, once when it succeeded, not at all when it was refused; what only reads or may be repeated, at least once. */
function wrongEffect({ status }: Call, kind: Kind, happened: number): string | null {
  const mayRepeat = kind === "look" || kind === "put";
  if (happened > 1 && !mayRepeat) return `happened ${happened} times`;
  if (status === "succeeded") return happened === 0 ? "left nothing" : null;
  if (status === "interrupted") return mayRepeat ? "may be repeated and was not" : null;
  if (status === "rejected") return happened === 0 ? null : "happened all the same";
  return "should not have ended like that";
}

async function turnsOf({ admin }: Cluster, conversationId: string): Promise<Turn[]> {
  const turns: Turn[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await admin.call(turnEndpoints.listOfConversation, {
      params: { id: conversationId },
      query: { limit: 200, ...(cursor ? { cursor } : {}) },
    });
    turns.push(...page.items);
    cursor = page.nextCursor;
  }
  return turns;
}

async function auditOf({ admin }: Cluster): Promise<Row[]> {
  const response = await admin.fetch(buildPath(auditEndpoints.export.path, { query: { format: "ndjson" } }));
  const lines = (await response.text()).split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Row);
}

/** How often each id was left where its kind leaves it. */
async function effectsOf(
  cluster: Cluster,
  conversations: string[],
  { received }: CountingServer,
): Promise<Record<Kind, Map<string, number>>> {
  const linesOf = async (file: string) => {
    const texts = conversations.map((id) => readFile(path.join(cluster.folderOf(id), file), "utf8").catch(() => ""));
    return (await Promise.all(texts)).flatMap((text) => text.split("\n").filter(Boolean));
  };
  return {
    shell: countOf(await linesOf(fileOf.shell ?? "")),
    file: countOf(await linesOf(fileOf.file ?? "")),
    asked: countOf(await linesOf(fileOf.asked ?? "")),
    look: countOf(received.look),
    put: countOf(received.put),
    book: countOf(received.book),
  };
}

const countOf = (ids: readonly string[]) => new Map([...Map.groupBy(ids, (id) => id)].map(([id, all]) => [id, all.length]));

/** Interrupted calls that were not under way in a process when it was killed. */
async function unexplained({ sql }: Cluster, interrupted: Call[], kills: Kill[]): Promise<string[]> {
  if (interrupted.length === 0) return [];
  const rows = await sql<{ id: string; startedBy: string; startedAt: Date }[]>`
    select id, started_by as "startedBy", started_at as "startedAt" from tool_calls where id in ${sql(interrupted.map(({ callId }) => callId))}`;
  const killedAt = new Map(kills.map(({ bootId, at }) => [bootId, at]));
  return rows
    .filter(({ startedBy, startedAt }) => startedAt.getTime() > (killedAt.get(startedBy) ?? 0))
    .map(({ id, startedBy }) => `call ${id} was interrupted, and ${startedBy} was not killed while it ran`);
}

/** Journals are numbered without gaps, begin with the start, end with the end, and tell each call's end once. */
async function brokenJournals({ sql }: Cluster, turns: Turn[]): Promise<string[]> {
  const rows = await sql<{ turnId: string; seq: number; event: string; callId: string | null }[]>`
    select turn_id as "turnId", seq, event, data->>'callId' as "callId" from turn_events order by turn_id, seq`;
  const journals = Map.groupBy(rows, ({ turnId }) => turnId);
  return turns.flatMap(({ id, calls }) => {
    const journal = journals.get(id);
    // Over before anybody could watch it: its events follow from its rows.
    if (!journal) return [];
    const names = journal.map(({ event }) => event);
    const ended = journal.filter(({ event }) => event === "call.finished").map(({ callId }) => callId);
    const isWhole =
      journal.every(({ seq }, place) => seq === place + 1) &&
      names[0] === "turn.started" &&
      names.at(-1) === "turn.finished" &&
      names.filter((name) => name === "turn.finished").length === 1 &&
      ended.length === calls.length &&
      new Set(ended).size === calls.length;
    return isWhole ? [] : [`the journal of turn ${id} is broken: ${journal.map(({ seq, event }) => `${seq} ${event}`).join(", ")}`];
  });
}
