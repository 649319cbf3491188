import { z } from "zod";
import { ActorRef, Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

export const fileChangeKinds = ["created", "changed", "deleted"] as const;
export type FileChangeKind = (typeof fileChangeKinds)[number];

/**
 * Reasons why a change's old content is not kept: the file was too large, it is sensitive, the store did not take it, or
 * newer changes of the conversation needed the room.
 */
export const notKeptReasons = ["large", "sensitive", "store", "room"] as const;
export type NotKeptReason = (typeof notKeptReasons)[number];

/** How the file is now, beside what the change left: the same, as before the change, or something else. */
export const fileChangeStates = ["as_changed", "as_before", "changed_since"] as const;
export type FileChangeState = (typeof fileChangeStates)[number];

export const FileChange = z
  .object({
    id: Id,
    conversationId: Id,
    path: z.string().describe("Relative to the folder of the conversation."),
    kind: z.enum(fileChangeKinds),
    turnId: Id.nullable(),
    callId: Id.nullable().describe("Null for a change that a person made with `restore`."),
    tool: z.string().nullable(),
    by: ActorRef,
    bytesBefore: z.number().int().nullable(),
    bytesAfter: z.number().int().nullable(),
    restores: Id.nullable().describe("The change that this change undid."),
    notRestorable: z.string().nullable().describe("The reason why the old content cannot be restored; null when it can."),
    createdAt: Timestamp,
  })
  .meta({ id: "FileChange" });
export type FileChange = z.infer<typeof FileChange>;

export const FileChangeComparison = z
  .object({
    change: FileChange,
    before: z.string().nullable().describe("Text before the change; null where it is not known or not text. Secrets are masked."),
    after: z.string().nullable().describe("Text after the change."),
    now: z.string().nullable().describe("Text of the file as it is."),
    state: z.enum(fileChangeStates),
    notShown: z.string().nullable().describe("The reason why a text is missing."),
  })
  .meta({ id: "FileChangeComparison" });
export type FileChangeComparison = z.infer<typeof FileChangeComparison>;

export const FileRestore = z
  .strictObject({
    force: z.boolean().default(false).describe("Restore although the file was changed since; the later change is recorded, too."),
  })
  .meta({ examples: [{ force: true }] });

export const FileRestored = z
  .object({
    message: z.string(),
    undo: Id.nullable().describe("The change that the restore made; restore it to undo. Null when the file was as asked already."),
  })
  .meta({ id: "FileRestored" });
export type FileRestored = z.infer<typeof FileRestored>;

const params = z.object({ id: Id, changeId: Id });

export const fileChangeEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/conversations/{id}/changes",
    summary:
      "Files that the conversation's tools changed, newest first; of commands, only changes of files that the conversation had not made",
    permission: "turns:read",
    params: z.object({ id: Id }),
    query: z.object({ turnId: Id.optional(), path: z.string().min(1).max(4_096).optional() }).extend(pageQuery),
    response: listOf(FileChange),
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/conversations/{id}/changes/{changeId}",
    summary: "One change with the texts before and after it, and the file as it is now",
    permission: "turns:read",
    params,
    response: FileChangeComparison,
  }),
  restore: endpoint({
    method: "POST",
    path: "/api/v1/conversations/{id}/changes/{changeId}/restore",
    summary: "Put a file back as it was before a change; refused when the file was changed since, unless `force`",
    permission: "turns:write",
    params,
    body: FileRestore,
    response: FileRestored,
  }),
};

export const fileChangeContract = defineContract({
  reference: { name: "File changes", description: "Changes that a conversation's tools made to files, with what was there before." },
  glossary: {
    checkpoint: "The old content of a file, kept before a tool changed it; see file change.",
    "file change":
      "One change of a file by a tool or a restore: the content before, the content after and the call. It can be undone for 30 days.",
  },
  endpoints: fileChangeEndpoints,
  audit: { "file.restored": "File restored" },
});
