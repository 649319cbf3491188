import { z } from "zod";
import { Empty, Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { NamedModel } from "../models/models";
import { MemoryOwner, memoryScopes, ofAgent } from "./memory";

/** By words (`fts`), by meaning (`semantic`), by both (`hybrid`), or as the agent's settings allow. */
export const memorySearchModes = ["auto", "fts", "semantic", "hybrid"] as const;
export type MemorySearchMode = (typeof memorySearchModes)[number];
export const memoryChangeKinds = ["extraction", "consolidation"] as const;
export const memoryChangeStatuses = ["applied", "nothing", "undone"] as const;
/** Largest archive of a memory in bytes. */
export const maxMemoryArchive = 16 * 1_048_576;

export const MemoryHit = z
  .object({
    kind: z.enum(["file", "entry", "fact"]),
    id: Id.describe("Of the file, entry or fact."),
    source: z.string().describe("`MEMORY.md:3`, `user/language` or the subject of a fact."),
    scope: z.enum(memoryScopes),
    ownerKey: z.string().nullable(),
    text: z.string(),
    score: z.number(),
    words: z.array(z.string()).describe("Stems of the request that the text has."),
    matchedBy: z.array(z.enum(["words", "meaning"])),
  })
  .meta({ id: "MemoryHit" });
export type MemoryHit = z.infer<typeof MemoryHit>;

export const MemoryForgetting = z
  .strictObject({
    ownerKey: MemoryOwner.nullable().default(null).describe("Only what is remembered for this owner; null: everything of the agent."),
    text: z
      .string()
      .trim()
      .min(3, "at least 3 characters")
      .max(500, "at most 500 characters")
      .nullable()
      .default(null)
      .describe("Lines, entries and facts with this text; null: all that is remembered for the owner."),
    apply: z.boolean().default(false).describe("False: only shows what would be forgotten."),
  })
  .meta({ examples: [{ text: "likes trains", apply: false }] });
export type MemoryForgetting = z.infer<typeof MemoryForgetting>;

export const MemoryForgotten = z
  .object({
    applied: z.boolean(),
    files: z.array(
      z.object({
        id: Id,
        filename: z.string(),
        ownerKey: z.string().nullable(),
        lines: z.array(z.string()).describe("Lines of the newest content."),
        versions: z.number().int().describe("Earlier contents that hold the text."),
      }),
    ),
    entries: z.array(z.object({ id: Id, source: z.string(), content: z.string() })),
    facts: z.array(z.object({ id: Id, subject: z.string(), statement: z.string() })),
  })
  .meta({ id: "MemoryForgotten" });
export type MemoryForgotten = z.infer<typeof MemoryForgotten>;

export const MemorySettingsPatch = z
  .strictObject({
    extraction: z.boolean().describe("After a conversation, the agent's model notes what is worth remembering."),
    consolidation: z.boolean().describe("Each night, the agent's model rewrites MEMORY.md from the latest daily notes."),
    embeddingModel: NamedModel.nullable()
      .optional()
      .describe(
        "The model whose embeddings find memories by meaning, to which they are sent. `null`: search is by words. Absent: unchanged.",
      ),
  })
  .meta({ examples: [{ extraction: false, consolidation: false }] });
export type MemorySettingsPatch = z.infer<typeof MemorySettingsPatch>;

export const MemorySettings = z
  .object({
    ...MemorySettingsPatch.shape,
    embeddingModel: NamedModel.nullable(),
    version: z.number().int(),
    updatedAt: Timestamp.nullable(),
  })
  .meta({ id: "MemorySettings" });
export type MemorySettings = z.infer<typeof MemorySettings>;

export const MemoryChange = z
  .object({
    id: Id,
    agentId: Id,
    ownerKey: z.string(),
    kind: z.enum(memoryChangeKinds),
    status: z.enum(memoryChangeStatuses),
    reason: z.string().describe("The model's own sentence."),
    conversationId: Id.nullable(),
    files: z.array(z.object({ id: Id, filename: z.string(), before: z.number().int().nullable(), after: z.number().int() })),
    facts: z.number().int().describe("Facts that were added."),
    mergedEntries: z.number().int().describe("Entries that repeated a newer one."),
    createdAt: Timestamp,
    undoneAt: Timestamp.nullable(),
  })
  .meta({ id: "MemoryChange" });
export type MemoryChange = z.infer<typeof MemoryChange>;

export const MemoryChangeDetail = MemoryChange.extend({
  diffs: z.array(z.object({ filename: z.string(), before: z.string(), after: z.string() })),
}).meta({ id: "MemoryChangeDetail" });
export type MemoryChangeDetail = z.infer<typeof MemoryChangeDetail>;

export const MemoryConsolidation = z
  .strictObject({ ownerKey: MemoryOwner })
  .meta({ examples: [{ ownerKey: "user:00000000-0000-7000-8000-000000000000" }] });

export const MemoryImport = z
  .object({
    applied: z.boolean(),
    items: z.array(
      z.object({
        name: z.string(),
        scope: z.enum(memoryScopes),
        ownerKey: z.string().nullable(),
        action: z.enum(["create", "update", "skip"]),
        reason: z.string().nullable().describe("Why it is skipped."),
      }),
    ),
  })
  .meta({ id: "MemoryImport" });
export type MemoryImport = z.infer<typeof MemoryImport>;

const params = z.object({ id: Id });
const read = "memory:read";
const write = "memory:write";

export const memoryUpkeepEndpoints = {
  search: endpoint({
    method: "GET",
    path: "/api/v1/agents/{id}/memory-search",
    summary: "Find what an agent remembers by words and, with an embedding model, by meaning; best first, with what matched",
    permission: read,
    params,
    query: z.object({
      query: z.string().trim().min(1, "needs words").max(500),
      ownerKey: ofAgent.ownerKey,
      limit: z.coerce.number().int().min(1).max(200).default(20),
    }),
    response: z.object({ items: z.array(MemoryHit), note: z.string().nullable().describe("Why the meaning was not compared.") }),
  }),
  forget: endpoint({
    method: "POST",
    path: "/api/v1/agents/{id}/memory-forget",
    summary: "Forget a text, or all of an owner, in files, their versions, entries and facts; `apply: false` shows what that is",
    permission: write,
    params,
    body: MemoryForgetting,
    response: MemoryForgotten,
  }),
  settings: endpoint({
    method: "GET",
    path: "/api/v1/agents/{id}/memory-settings",
    summary: "Whether an agent's model writes memory by itself, and the model that finds memories by meaning",
    permission: read,
    params,
    response: MemorySettings,
  }),
  updateSettings: endpoint({
    method: "PUT",
    path: "/api/v1/agents/{id}/memory-settings",
    summary: "Let an agent's model write memory by itself, or not, and choose the model that finds memories by meaning",
    headers: ["If-Match"],
    permission: write,
    params,
    body: MemorySettingsPatch,
    response: MemorySettings,
  }),
  consolidate: endpoint({
    method: "POST",
    path: "/api/v1/agents/{id}/memory-consolidation",
    summary: "Consolidate the memory of one owner now",
    permission: write,
    params,
    body: MemoryConsolidation,
    response: Empty,
    status: 202,
  }),
  listChanges: endpoint({
    method: "GET",
    path: "/api/v1/memory-changes",
    summary: "What an agent's model changed in its memory by itself, newest first",
    permission: read,
    query: z.object({ ...ofAgent, ...pageQuery }),
    response: listOf(MemoryChange),
  }),
  getChange: endpoint({
    method: "GET",
    path: "/api/v1/memory-changes/{id}",
    summary: "One change of a memory with the texts before and after",
    permission: read,
    params,
    response: MemoryChangeDetail,
  }),
  undoChange: endpoint({
    method: "POST",
    path: "/api/v1/memory-changes/{id}/undo",
    summary: "Undo a change: files get their earlier contents, added facts are forgotten",
    permission: write,
    params,
    response: MemoryChange,
  }),
  export: endpoint({
    method: "GET",
    path: "/api/v1/agents/{id}/memory-export",
    summary: "Files, entries and facts of an agent as a zip with a manifest; with `ownerKey` only those of that owner",
    permission: read,
    params,
    query: z.object({ ownerKey: ofAgent.ownerKey }),
    responseType: "application/zip",
  }),
  import: endpoint({
    method: "POST",
    path: "/api/v1/agents/{id}/memory-import",
    summary: "Take over an exported memory, as a whole or not at all; without `apply=true` it only says what would change",
    permission: write,
    params,
    query: z.object({ apply: z.enum(["true", "false"]).default("false") }),
    requestType: "application/zip",
    maxBodyBytes: maxMemoryArchive,
    response: MemoryImport,
  }),
};

export const memoryUpkeepContract = defineContract({
  reference: {
    name: "Memory upkeep",
    description: "Search and forget what an agent remembers, let its model write memory by itself, export and import.",
  },
  glossary: {
    "extraction (of memory)": "An agent's model notes after a conversation what is worth remembering; off until an admin turns it on.",
    "consolidation (of memory)":
      "An agent's model rewrites MEMORY.md each night from the latest daily notes; off until an admin turns it on.",
  },
  endpoints: memoryUpkeepEndpoints,
  audit: {
    "memory.forgotten": "Memory forgotten",
    "memory.changed": "Memory changed by the agent's model",
    "memory.undone": "Change of memory undone",
    "memory.imported": "Memory imported",
    "memory.exported": "Memory exported",
    "memory_settings.updated": "Memory settings changed",
  },
});
