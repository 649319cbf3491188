import { z } from "zod";
import { ActorRef, Empty, Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { MemoryOwner, memoryScopes, ofAgent } from "./memory";

/** Days after which the trust in a fact that nobody confirms again has halved. */
export const trustHalfLifeDays = 60;

const subject = z.string().trim().min(1, "needs a subject").max(200, "at most 200 characters");
const statement = z.string().trim().min(1, "needs a statement").max(500, "at most 500 characters");

export const MemoryFact = z
  .object({
    id: Id,
    agentId: Id,
    scope: z.enum(memoryScopes),
    ownerKey: z.string().nullable(),
    subject: z.string().describe("What the fact is about, such as `Home city of Ann`."),
    statement: z.string(),
    source: z.string().nullable().describe("Where the fact comes from, such as a conversation."),
    trust: z.number().describe("From 0 to 1; halves in 60 days after the last confirmation."),
    confirmedAt: Timestamp.nullable().describe("When a person last confirmed the fact."),
    isContradicted: z.boolean().describe("Another fact says something else of the same subject."),
    author: ActorRef,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "MemoryFact" });
export type MemoryFact = z.infer<typeof MemoryFact>;

export const MemoryFactDraft = z
  .strictObject({
    agentId: Id,
    scope: z.enum(memoryScopes).default("TEAM"),
    ownerKey: MemoryOwner.nullable().default(null).describe("Needed for PERSONAL, and only there."),
    subject,
    statement,
  })
  .meta({
    examples: [{ agentId: "00000000-0000-7000-8000-000000000000", subject: "Billing address", statement: "Invoices go to Berlin." }],
  });
export type MemoryFactDraft = z.infer<typeof MemoryFactDraft>;

export const MemoryFactPatch = z
  .strictObject({ subject, statement })
  .meta({ examples: [{ subject: "Billing address", statement: "Invoices go to Paris." }] });
export type MemoryFactPatch = z.infer<typeof MemoryFactPatch>;

export const MemoryContradiction = z
  .object({ subject: z.string(), facts: z.array(MemoryFact).describe("Two or more; the most trusted first.") })
  .meta({ id: "MemoryContradiction" });
export type MemoryContradiction = z.infer<typeof MemoryContradiction>;

const params = z.object({ id: Id });
const permission = "memory:write";

export const memoryFactEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/memory-facts",
    summary: "Facts that an agent knows, newest first; with `ownerKey` only those of that owner",
    permission: "memory:read",
    query: z.object({ ...ofAgent, ...pageQuery }),
    response: listOf(MemoryFact),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/memory-facts",
    summary: "Add a confirmed fact",
    permission,
    body: MemoryFactDraft,
    response: MemoryFact,
    status: 201,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/v1/memory-facts/{id}",
    summary: "Correct a fact, which confirms it",
    permission,
    params,
    body: MemoryFactPatch,
    response: MemoryFact,
  }),
  confirm: endpoint({
    method: "POST",
    path: "/api/v1/memory-facts/{id}/confirm",
    summary: "Confirm a fact: its trust is 1 again",
    permission,
    params,
    response: MemoryFact,
  }),
  settle: endpoint({
    method: "POST",
    path: "/api/v1/memory-facts/{id}/settle",
    summary: "Settle a contradiction: confirm this fact and forget those that say something else of the same subject",
    permission,
    params,
    response: MemoryFact,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/v1/memory-facts/{id}",
    summary: "Forget one fact",
    permission,
    params,
    response: Empty,
  }),
  listContradictions: endpoint({
    method: "GET",
    path: "/api/v1/agents/{id}/memory-contradictions",
    summary: "Subjects of which an agent's facts say different things; a person settles them",
    permission: "memory:read",
    params,
    query: z.object({ ownerKey: ofAgent.ownerKey }),
    response: z.object({ items: z.array(MemoryContradiction) }),
  }),
};

export const memoryFactContract = defineContract({
  reference: { name: "Memory facts", description: "Statements that an agent trusts more or less, and contradictions between them." },
  glossary: {
    fact: "A statement about a subject that an agent remembers with its source and trust; a person confirms, corrects or forgets it.",
    contradiction: "Two or more facts of one memory that say different things of the same subject.",
  },
  endpoints: memoryFactEndpoints,
  audit: {
    "memory_fact.added": "Memory fact added",
    "memory_fact.updated": "Memory fact corrected",
    "memory_fact.confirmed": "Memory fact confirmed",
    "memory_fact.removed": "Memory fact forgotten",
  },
});
