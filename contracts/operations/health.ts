import { z } from "zod";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

export const healthEndpoints = {
  live: endpoint({
    method: "GET",
    path: "/api/v1/health/live",
    summary: "The process answers",
    permission: null,
    ignoresCredentials: true,
    response: z.object({ status: z.literal("ok") }),
  }),
  ready: endpoint({
    method: "GET",
    path: "/api/v1/health/ready",
    summary: "The process can do its work: the database answers and the workers run",
    permission: null,
    ignoresCredentials: true,
    response: z.object({ status: z.enum(["ok", "unavailable"]), checks: z.record(z.string(), z.string()) }),
    otherStatuses: { 503: "It cannot do its work now; `checks` says which part is missing." },
  }),
};

export const healthContract = defineContract({
  reference: { name: "Health", description: "For whoever watches over the process." },
  glossary: {
    replica: "One running process of Handrail, identified by its boot id.",
  },
  endpoints: healthEndpoints,
  audit: {
    "replica.started": "Replica started",
    "replica.stopped": "Replica stopped",
    "replica.lost": "Replica lost",
  },
});
