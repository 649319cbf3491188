import { z } from "zod";
import { ActorRef, Empty, Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

export const memoryScopes = ["PERSONAL", "TEAM", "GLOBAL"] as const;
export const memoryEntryTypes = ["user", "feedback", "project", "reference"] as const;
export const maxMemoryCharacters = 200_000;
const maxOwnerKey = 200;
/** `user:<id>`, `api:<end user>` or `system`. */
export const MemoryOwner = z.string().trim().min(1, "needs an owner").max(maxOwnerKey, "at most 200 characters");

export const MemoryFile = z
  .object({
    id: Id,
    agentId: Id,
    scope: z.enum(memoryScopes).describe("PERSONAL: its owner alone; TEAM: all who use the agent; GLOBAL: all agents of the workspace."),
    ownerKey: z.string().nullable().describe("Of a personal file, such as `user:<id>` or `api:<end user>`."),
    filename: z.string(),
    enabled: z.boolean().describe("The file stands in the prompt."),
    characters: z.number().int(),
    version: z.number().int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "MemoryFile" });
export type MemoryFile = z.infer<typeof MemoryFile>;

export const MemoryFileContent = MemoryFile.extend({ content: z.string() }).meta({ id: "MemoryFileContent" });
export type MemoryFileContent = z.infer<typeof MemoryFileContent>;

export const MemoryFileVersion = z
  .object({ version: z.number().int(), content: z.string(), author: ActorRef, createdAt: Timestamp })
  .meta({ id: "MemoryFileVersion" });
export type MemoryFileVersion = z.infer<typeof MemoryFileVersion>;

const content = z.string().max(maxMemoryCharacters, "at most 200,000 characters");
const enabled = z.boolean().default(false);

export const MemoryFileDraft = z
  .strictObject({
    agentId: Id,
    filename: z.string().trim().min(1, "needs a name").max(200, "at most 200 characters"),
    scope: z.enum(memoryScopes).default("TEAM"),
    ownerKey: MemoryOwner.nullable().default(null).describe("Needed for PERSONAL, and only there."),
    content,
    enabled,
  })
  .meta({
    examples: [{ agentId: "00000000-0000-7000-8000-000000000000", filename: "PROFILE.md", content: "# Who we are", enabled: false }],
  });
export type MemoryFileDraft = z.infer<typeof MemoryFileDraft>;

export const MemoryFilePatch = z
  .strictObject({ content, enabled: z.boolean() })
  .meta({ examples: [{ content: "# Who we are", enabled: false }] });
export type MemoryFilePatch = z.infer<typeof MemoryFilePatch>;

export const MemoryEntry = z
  .object({
    id: Id,
    agentId: Id,
    scope: z.enum(memoryScopes),
    ownerKey: z.string().nullable(),
    type: z.enum(memoryEntryTypes),
    key: z.string(),
    content: z.string(),
    author: ActorRef,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "MemoryEntry" });
export type MemoryEntry = z.infer<typeof MemoryEntry>;

export const MemoryEntryDraft = z
  .strictObject({
    agentId: Id,
    scope: z.enum(memoryScopes).default("TEAM"),
    ownerKey: MemoryOwner.nullable().default(null).describe("Needed for PERSONAL, and only there."),
    type: z.enum(memoryEntryTypes),
    key: z.string().trim().min(1, "needs a name").max(100, "at most 100 characters"),
    content: z.string().trim().min(1, "needs a text").max(4_000, "at most 4,000 characters"),
  })
  .meta({
    examples: [{ agentId: "00000000-0000-7000-8000-000000000000", type: "project", key: "deadline", content: "The release is on Friday." }],
  });
export type MemoryEntryDraft = z.infer<typeof MemoryEntryDraft>;

export const MemoryPrompt = z
  .object({
    text: z.string(),
    tokens: z.number().int(),
    budgetTokens: z.number().int(),
    parts: z
      .array(z.object({ title: z.string(), scope: z.enum(memoryScopes), tokens: z.number().int(), isCut: z.boolean() }))
      .describe("Files and lists that the text is made of, each with its own cost; `isCut` where not all of it fits."),
  })
  .meta({ id: "MemoryPrompt" });
export type MemoryPrompt = z.infer<typeof MemoryPrompt>;

/** An owner for whom an agent remembers something personal. */
export const MemoryOwnerCount = z
  .object({
    ownerKey: z.string(),
    name: z.string().nullable().describe("Of a person of the workspace."),
    files: z.number().int(),
    entries: z.number().int(),
    facts: z.number().int(),
  })
  .meta({ id: "MemoryOwnerCount" });
export type MemoryOwnerCount = z.infer<typeof MemoryOwnerCount>;

const params = z.object({ id: Id });
export const ofAgent = { agentId: Id, ownerKey: z.string().max(maxOwnerKey).optional() };

export const memoryEndpoints = {
  listFiles: endpoint({
    method: "GET",
    path: "/api/v1/memory-files",
    summary: "Memory files of an agent, by name; with `ownerKey` only those of that owner",
    permission: "memory:read",
    query: z.object({ ...ofAgent, ...pageQuery }),
    response: listOf(MemoryFile),
  }),
  createFile: endpoint({
    method: "POST",
    path: "/api/v1/memory-files",
    summary: "Add a memory file",
    permission: "memory:write",
    body: MemoryFileDraft,
    response: MemoryFileContent,
    status: 201,
  }),
  getFile: endpoint({
    method: "GET",
    path: "/api/v1/memory-files/{id}",
    summary: "One memory file with its content",
    permission: "memory:read",
    params,
    response: MemoryFileContent,
  }),
  updateFile: endpoint({
    method: "PUT",
    path: "/api/v1/memory-files/{id}",
    summary: "Replace the content of a memory file; the earlier content stays as a version",
    headers: ["If-Match"],
    permission: "memory:write",
    params,
    body: MemoryFilePatch,
    response: MemoryFileContent,
  }),
  removeFile: endpoint({
    method: "DELETE",
    path: "/api/v1/memory-files/{id}",
    summary: "Remove a memory file with all its versions",
    headers: ["If-Match"],
    permission: "memory:write",
    params,
    response: Empty,
  }),
  listVersions: endpoint({
    method: "GET",
    path: "/api/v1/memory-files/{id}/versions",
    summary: "The last 100 contents of a memory file with their authors, newest first",
    permission: "memory:read",
    params,
    response: z.object({ items: z.array(MemoryFileVersion) }),
  }),
  restoreVersion: endpoint({
    method: "POST",
    path: "/api/v1/memory-files/{id}/versions/{version}/restore",
    summary: "Make an earlier content of a memory file the newest",
    headers: ["If-Match"],
    permission: "memory:write",
    params: z.object({ id: Id, version: z.coerce.number().int().min(1).max(2_147_483_647) }),
    response: MemoryFileContent,
  }),
  listEntries: endpoint({
    method: "GET",
    path: "/api/v1/memory-entries",
    summary: "What an agent remembers by type and key, newest first",
    permission: "memory:read",
    query: z.object({ ...ofAgent, ...pageQuery }),
    response: listOf(MemoryEntry),
  }),
  saveEntry: endpoint({
    method: "POST",
    path: "/api/v1/memory-entries",
    summary: "Remember something by type and key; an earlier content of that key is replaced",
    permission: "memory:write",
    body: MemoryEntryDraft,
    response: MemoryEntry,
    status: 201,
  }),
  removeEntry: endpoint({
    method: "DELETE",
    path: "/api/v1/memory-entries/{id}",
    summary: "Forget one entry",
    permission: "memory:write",
    params,
    response: Empty,
  }),
  prompt: endpoint({
    method: "GET",
    path: "/api/v1/agents/{id}/memory-prompt",
    summary: "What an agent's memory adds to the prompt for one owner now, and its cost in tokens",
    permission: "memory:read",
    params,
    query: z.object({
      ownerKey: ofAgent.ownerKey,
      message: z.string().max(2_000).optional().describe("The message for which memories are chosen."),
    }),
    response: MemoryPrompt,
  }),
  listOwners: endpoint({
    method: "GET",
    path: "/api/v1/agents/{id}/memory-owners",
    summary: "Owners for whom an agent remembers something personal, with the number of files, entries and facts",
    permission: "memory:read",
    params,
    response: z.object({ items: z.array(MemoryOwnerCount) }),
  }),
};

export const memoryContract = defineContract({
  reference: { name: "Memory", description: "Markdown files and entries that an agent remembers, by owner and scope." },
  glossary: {
    memory: "Markdown files and entries that an agent keeps between conversations; each belongs to an owner, a team or the workspace.",
    "memory entry": "A short fact that an agent remembers by type and key.",
    "owner (of memory)": "The person or end user for whom an agent remembers something personal.",
  },
  endpoints: memoryEndpoints,
  permissions: { "memory:read": "See the memory of agents", "memory:write": "Change the memory of agents" },
  implies: { "memory:write": ["memory:read"] },
  audit: {
    "memory_file.created": "Memory file created",
    "memory_file.updated": "Memory file updated",
    "memory_file.removed": "Memory file removed",
    "memory_entry.saved": "Memory entry saved",
    "memory_entry.removed": "Memory entry removed",
  },
  navigation: { label: "Memory", path: "/memory", icon: "IconBrain", key: "v", group: "agents", after: "/agents" },
});
