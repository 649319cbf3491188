import { z } from "zod";
import { Empty, Id, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { baseAddress } from "../provider-settings";

/** The pipeline that carries out tasks of core_execute: one over HTTP, or an agent of the workspace. */
export const Delegate = z
  .object({
    connected: z.boolean().describe("Whether core_execute can be used now."),
    url: z.string().nullable().describe("Where the pipeline is; `null`: nothing is set up, or an agent carries the tasks out."),
    agentId: Id.nullable().describe("The agent that carries the tasks out; only it may call tools on the escalate surface."),
    hasSecret: z.boolean().describe("Requests carry a secret, which is stored sealed and never shown."),
    timeoutSeconds: z.number().int(),
    enabled: z.boolean(),
    version: z.number().int().describe("0 while nothing is set up."),
    updatedAt: Timestamp.nullable(),
  })
  .meta({ id: "Delegate" });
export type Delegate = z.infer<typeof Delegate>;

export const DelegateDraft = z
  .strictObject({
    url: baseAddress("; the secret has a field of its own").nullable().default(null).describe("Where the pipeline is."),
    agentId: Id.nullable().default(null).describe("In place of a pipeline: the agent of the workspace that carries the tasks out."),
    secret: z
      .string()
      .min(1)
      .max(500)
      .regex(/^[\x21-\x7e]+$/, "a secret has letters, digits and signs, without spaces")
      .nullable()
      .optional()
      .describe("Sent as `Authorization: Bearer`. Absent: the stored one stays, while the address leads to the same host; `null`: none."),
    timeoutSeconds: z.number().int().min(5).max(1_800).default(1_800),
    enabled: z.boolean().default(true),
  })
  .refine(({ url, agentId }) => (url === null) !== (agentId === null), {
    path: ["url"],
    message: "send the address of a pipeline or the id of an agent, one of both",
  })
  .meta({ examples: [{ url: "https://pipeline.example.com/v1", timeoutSeconds: 900 }] });
export type DelegateDraft = z.infer<typeof DelegateDraft>;

export const delegateEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/api/v1/delegate",
    summary: "The pipeline that core_execute hands tasks to",
    permission: "tools:read",
    response: Delegate,
  }),
  set: endpoint({
    method: "PUT",
    path: "/api/v1/delegate",
    summary: "Set up the pipeline of core_execute",
    headers: ["If-Match"],
    permission: "tools:write",
    body: DelegateDraft,
    response: Delegate,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/v1/delegate",
    summary: "Disconnect the pipeline; core_execute says that nothing is connected",
    permission: "tools:write",
    response: Empty,
  }),
};

export const delegateContract = defineContract({
  reference: { name: "Delegate", description: "The pipeline that core_execute hands tasks to." },
  glossary: {
    delegate: "The pipeline or the agent that carries out the tasks of `core_execute`.",
    surface: "`natural` tools are callable by models; `escalate` tools are reachable only through `core_execute`.",
  },
  endpoints: delegateEndpoints,
  audit: {
    "delegate.updated": "Delegate updated",
    "delegate.removed": "Delegate removed",
  },
});
