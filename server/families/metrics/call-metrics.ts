import { LRUCache } from "lru-cache";
import { Counter, Histogram, Registry } from "prom-client";
import { processWide } from "@/server/platform/process-wide";
import { observeCalls, type SettledCall } from "@/server/turns/call-observers";
import type { BootStep } from "../define-family";

type CallMetrics = { registry: Registry; calls: Counter<"status">; seconds: Histogram };

/** Upper bounds of the histogram in seconds: from a cached read to the longest tool. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Workspaces whose counters this replica keeps; the others begin anew at zero, which Prometheus takes for a restart. */
const maxWorkspaces = 1_000;

const kept = () => processWide("callMetrics", () => new LRUCache<string, CallMetrics>({ max: maxWorkspaces }));

function metricsOf(workspaceId: string): CallMetrics {
  const known = kept().get(workspaceId);
  if (known) return known;
  const registry = new Registry();
  const registers = [registry];
  const made = {
    registry,
    calls: new Counter({
      name: "handrail_calls_total",
      help: "Calls that ended on this replica.",
      labelNames: ["status"] as const,
      registers,
    }),
    seconds: new Histogram({ name: "handrail_call_duration_seconds", help: "How long calls ran.", buckets, registers }),
  };
  kept().set(workspaceId, made);
  return made;
}

function count({ workspaceId, status, durationMs }: SettledCall): void {
  const { calls, seconds } = metricsOf(workspaceId);
  calls.inc({ status });
  // Calls that never ran, such as denied ones, have no duration.
  if (durationMs > 0) seconds.observe(durationMs / 1_000);
}

/** Counters of the workspace's calls on this replica. */
export const callRegistry = (workspaceId: string): Registry => metricsOf(workspaceId).registry;

export const countCalls: BootStep = {
  title: "Counting calls",
  start: async () => {
    const stop = observeCalls(count);
    return async () => stop();
  },
};
