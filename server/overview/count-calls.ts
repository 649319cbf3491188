import "server-only";
import { sql } from "drizzle-orm";
import { findOutcomeGroup, statusesInGroup } from "@/contracts/calls/call-outcomes";
import type { CallStatus } from "@/contracts/calls/call-statuses";
import type { Overview } from "@/contracts/operations/overview";
import { db } from "@/server/platform/database/database";
import { idAt } from "@/server/platform/id-at";
import { bucketGrowth, computeQuantile } from "./latency-histogram";
import type { TimeRange } from "./time-range";

export type CallCounts = Pick<Overview, "calls" | "topTools" | "troubles">;

const maxTools = 8;
/** Number of newest failed and denied calls that are read; enough to rank the tools with trouble. */
const troublesLookedAt = 5_000;

type CountRow = {
  bucket: number | null;
  name: string | null;
  latency: number | null;
  status: CallStatus | null;
  count: string;
  kind: number;
};
type TroubleRow = { name: string; agent: string; status: CallStatus; count: string };

/** Counts the calls of a range in one pass over a covering index. */
export async function countCalls(workspaceId: string, range: TimeRange): Promise<CallCounts> {
  const [rows, troubles] = await Promise.all([readCounts(workspaceId, range), readTroubles(workspaceId, range)]);
  return { ...sumUp(rows, range), troubles };
}

function inRange(workspaceId: string, { from, to }: TimeRange) {
  return sql`workspace_id = ${workspaceId} and id >= ${idAt(from, "0")} and id <= ${idAt(to - 1, "f")}`;
}

async function readCounts(workspaceId: string, range: TimeRange): Promise<CountRow[]> {
  // Latency counts only calls that ran.
  return db().execute<CountRow>(sql`
    select bucket, name, latency, status, count(*) as count, grouping(bucket, name, latency) as kind
    from (
      select status, name,
        date_bin(make_interval(secs => ${range.bucketSeconds}), created_at, ${new Date(range.from).toISOString()}::timestamptz) as bucket,
        case when status in ('succeeded', 'failed', 'timed_out') and duration_ms is not null
          then floor(ln(greatest(duration_ms, 1)::float8) / ${Math.log(bucketGrowth)}::float8)::int end as latency
      from tool_calls where ${inRange(workspaceId, range)}
    ) as call
    group by grouping sets ((bucket, status), (name, status), (latency))`);
}

/** Values of `grouping(bucket, name, latency)`: a bit is 0 when its column is grouped by. */
const kinds = { byBucket: 0b011, byName: 0b101, byLatency: 0b110 };

function sumUp(rows: readonly CountRow[], range: TimeRange): Pick<Overview, "calls" | "topTools"> {
  const bucketCount = Math.round((range.to - range.from) / 1_000 / range.bucketSeconds);
  const buckets = Array.from({ length: bucketCount }, (_, place) => ({
    at: new Date(range.from + place * range.bucketSeconds * 1_000).toISOString(),
    byStatus: {} as Partial<Record<CallStatus, number>>,
  }));
  const byStatus: Partial<Record<CallStatus, number>> = {};
  const tools = new Map<string, { tool: string; calls: number; failed: number; denied: number }>();
  const latencies = new Map<number, number>();
  let total = 0;
  for (const { kind, bucket, name, latency, status, count: text } of rows) {
    const count = Number(text);
    if (kind === kinds.byLatency && latency !== null) latencies.set(latency, count);
    if (status === null) continue;
    if (kind === kinds.byBucket && bucket !== null) {
      total += count;
      byStatus[status] = (byStatus[status] ?? 0) + count;
      // An id may be a few milliseconds ahead of the clock, so such a call counts in the nearest bucket.
      const place = Math.round((new Date(bucket).getTime() - range.from) / 1_000 / range.bucketSeconds);
      const held = buckets[Math.max(0, Math.min(place, bucketCount - 1))];
      if (held) held.byStatus[status] = (held.byStatus[status] ?? 0) + count;
    }
    if (kind === kinds.byName && name !== null) {
      const tool = tools.get(name) ?? { tool: name, calls: 0, failed: 0, denied: 0 };
      tool.calls += count;
      const group = findOutcomeGroup(status);
      if (group === "failed" || group === "denied") tool[group] += count;
      tools.set(name, tool);
    }
  }
  const p50 = computeQuantile(latencies, 0.5);
  const p95 = computeQuantile(latencies, 0.95);
  return {
    calls: { total, byStatus, buckets, latencyMs: p50 === null || p95 === null ? null : { p50, p95 } },
    topTools: [...tools.values()].toSorted((a, b) => b.calls - a.calls || a.tool.localeCompare(b.tool)).slice(0, maxTools),
  };
}

async function readTroubles(workspaceId: string, range: TimeRange): Promise<Overview["troubles"]> {
  const statuses = sql.join(
    [...statusesInGroup("failed"), ...statusesInGroup("denied")].map((status) => sql`${status}`),
    sql`, `,
  );
  const rows = await db().execute<TroubleRow>(sql`
    select call.name, agents.name as agent, call.status, count(*) as count
    from (
      select turn_id, name, status from tool_calls
      where ${inRange(workspaceId, range)} and status in (${statuses})
      order by id desc limit ${troublesLookedAt}
    ) as call
    join turns on turns.id = call.turn_id
    join conversations on conversations.id = turns.conversation_id
    join agents on agents.id = conversations.agent_id
    group by call.name, agents.name, call.status`);
  const found = new Map<string, Overview["troubles"][number]>();
  for (const { name, agent, status, count } of rows) {
    const key = JSON.stringify([name, agent]);
    const trouble = found.get(key) ?? { tool: name, agent, failed: 0, denied: 0 };
    trouble[findOutcomeGroup(status) === "denied" ? "denied" : "failed"] += Number(count);
    found.set(key, trouble);
  }
  return [...found.values()]
    .toSorted((a, b) => b.failed + b.denied - (a.failed + a.denied) || a.tool.localeCompare(b.tool))
    .slice(0, maxTools);
}
