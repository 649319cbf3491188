import { z } from "zod";
import { Approval } from "../approvals/approvals";
import { callStatuses } from "../calls/call-statuses";
import { Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

/** Time ranges of an overview, each up to now. */
export const overviewRanges = ["1h", "24h", "7d", "30d"] as const;
export type OverviewRange = (typeof overviewRanges)[number];

const count = z.int().min(0);
const CountsByStatus = z.partialRecord(z.enum(callStatuses), count);

export const Overview = z
  .object({
    range: z.enum(overviewRanges),
    from: Timestamp.describe("Inclusive; the beginning of the first bucket."),
    to: Timestamp.describe("Exclusive; the end of the last bucket, which is not over yet."),
    bucketSeconds: z.int(),
    calls: z.object({
      total: count,
      byStatus: CountsByStatus,
      buckets: z
        .array(z.object({ at: Timestamp, byStatus: CountsByStatus }))
        .describe("By the time at which calls were submitted, the oldest first."),
      latencyMs: z
        .object({ p50: z.number(), p95: z.number() })
        .nullable()
        .describe("How long tools ran, accurate to 5 %; null when none has run."),
    }),
    approvals: z.object({
      pending: count,
      nextToExpire: z.array(
        Approval.pick({ id: true, kind: true, summary: true, agent: true, expiresAt: true }).extend({ tool: z.string() }),
      ),
      decided: count.describe("Approvals requested in the range that a person has decided."),
      waitSeconds: z.object({ p50: z.number(), p95: z.number() }).nullable().describe("From the request to the decision."),
    }),
    topTools: z.array(z.object({ tool: z.string(), calls: count, failed: count, denied: count })).describe("Most called first."),
    troubles: z
      .array(z.object({ tool: z.string(), agent: z.string(), failed: count, denied: count }))
      .describe("Tools whose calls failed or were denied, by agent, the most frequent first; of the newest 5,000 such calls."),
    disclosure: z
      .object({ agent: z.string(), shown: count, saved: count })
      .nullable()
      .describe("Tokens of the default agent's tools in one model request, and the tokens that progressive disclosure saves there."),
    setup: z
      .object({ callApproved: z.boolean(), agentConnected: z.boolean(), serverAdded: z.boolean(), ruleWritten: z.boolean() })
      .describe("First steps of a new workspace."),
  })
  .meta({ id: "Overview" });
export type Overview = z.infer<typeof Overview>;

export const overviewEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/api/v1/overview",
    summary: "Counts of calls and approvals in a range of time, most called and most failing tools, latency, tokens saved",
    permission: "audit:read",
    query: z.object({ range: z.enum(overviewRanges).default("24h") }),
    response: Overview,
  }),
};

export const overviewContract = defineContract({
  reference: { name: "Overview", description: "Counts over the workspace: outcomes, latency, approvals, tokens." },
  endpoints: overviewEndpoints,
  navigation: { label: "Overview", path: "/", icon: "IconGauge", key: "o", group: "work", after: null },
});
