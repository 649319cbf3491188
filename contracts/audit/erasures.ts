import { z } from "zod";
import { ActorRef, Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

export const erasureKinds = ["contact", "member", "conversation"] as const;
export const erasureStatuses = ["running", "done"] as const;

const kind = z.enum(erasureKinds).describe("`conversation` erases one conversation with those of the agents that it handed tasks to.");
const personId = Id.describe("Id of the contact, the member or the conversation.");
const counts = z.record(z.string(), z.number().int());

export const ErasurePlan = z
  .object({
    kind,
    personId,
    name: z.string().describe("To be repeated as `confirm` by whoever erases."),
    counts: counts.describe("Rows that go, by where they lie."),
    auditEvents: z.number().int().describe("Audit events that keep their place, their time and their digest, and lose their content."),
    refusal: z.string().nullable().describe("Why an erasure would be refused now; null when nothing stands against it."),
  })
  .meta({ id: "ErasurePlan" });
export type ErasurePlan = z.infer<typeof ErasurePlan>;

export const ErasureDraft = z
  .strictObject({ kind, personId, confirm: z.string().min(1).max(200).describe("The name of the person as the plan has it.") })
  .meta({ examples: [{ kind: "contact", personId: "00000000-0000-7000-8000-000000000000", confirm: "Mei" }] });
export type ErasureDraft = z.infer<typeof ErasureDraft>;

export const Erasure = z
  .object({
    id: Id,
    kind,
    personId,
    status: z.enum(erasureStatuses),
    step: z.string().describe("What is being erased now, for people."),
    counts: counts.describe("Rows that went so far, by where they lay."),
    auditEvents: z.number().int().describe("Audit events that lost their content so far."),
    requestedBy: ActorRef,
    createdAt: Timestamp,
    finishedAt: Timestamp.nullable(),
  })
  .meta({ id: "Erasure" });
export type Erasure = z.infer<typeof Erasure>;

const person = z.object({ kind, personId });

export const erasureEndpoints = {
  plan: endpoint({
    method: "GET",
    path: "/api/v1/erasures/plan",
    summary: "Count what the workspace holds of a person, and what an erasure would remove",
    permission: "people:erase",
    query: person,
    response: ErasurePlan,
  }),
  exportPerson: endpoint({
    method: "GET",
    path: "/api/v1/erasures/export",
    summary: "Everything that the workspace holds of a person, a line of JSON a row",
    permission: "people:erase",
    query: person,
    responseType: "application/x-ndjson",
  }),
  list: endpoint({
    method: "GET",
    path: "/api/v1/erasures",
    summary: "Erasures of the workspace, newest first",
    permission: "people:erase",
    query: z.object(pageQuery),
    response: listOf(Erasure),
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/erasures/{id}",
    summary: "One erasure with its progress",
    permission: "people:erase",
    params: z.object({ id: Id }),
    response: Erasure,
  }),
  start: endpoint({
    method: "POST",
    path: "/api/v1/erasures",
    summary: "Erase everything that the workspace holds of a person; it cannot be undone",
    permission: "people:erase",
    body: ErasureDraft,
    response: Erasure,
    status: 202,
  }),
};

export const erasureContract = defineContract({
  reference: { name: "Erasures", description: "What the workspace holds of a person: count it, export it, erase it." },
  glossary: {
    erasure: "Removes what a workspace holds of a person. Audit events keep their place and their digest, and lose their content.",
  },
  endpoints: erasureEndpoints,
  permissions: { "people:erase": "Export and erase what is held of a person" },
  audit: {
    "person.data_exported": "Data of a person exported",
    "person.erasure_started": "Erasure of a person started",
    "person.erased": "Person erased",
    "audit.payloads_erased": "Contents of audit events erased",
  },
});
