import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import { PathArgument, pathAliases } from "@/server/capabilities/files/path-argument";
import { deletes, lists, reads, writes } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { fileChanges, findAskedChange } from "../changes/changes-capability";
import { comparedTexts, readNow, stateOf } from "../changes/compare-change";
import { diffText } from "../changes/diff-text";
import type { FoundChange } from "../changes/find-changes";
import { restoreFile } from "../changes/restore-file";

const notRecorded = "Of commands, only changes of files that the conversation had not made are recorded.";

export const checkpoints = defineTool({
  name: "checkpoints",
  title: "Show and undo changes of files",
  description:
    "What this conversation's file tools changed, and what its commands did to files that it had not made: list shows the changes, diff one of them, restore puts a file back as it was before one. Without change: the newest one of path that is not undone. A file that changed since needs force. A restore is a change, too, and can be undone. Kept 30 days.",
  family: "files",
  tier: "extension",
  effect: "write",
  needs: [files, fileChanges],
  names: {
    aliases: ["checkpoint", "rollback", "undo_edit", "undo", "restore_file", "file_history"],
    aliasDefaults: {
      rollback: { action: "restore" },
      undo_edit: { action: "restore" },
      undo: { action: "restore" },
      restore_file: { action: "restore" },
    },
    parameterAliases: {
      ...pathAliases,
      id: "change",
      changeId: "change",
      change_id: "change",
      checkpoint: "change",
      checkpointId: "change",
    },
  },
  primaryArgument: "path",
  approval: {
    dangerous: true,
    effects: ({ action, path, deletesFile }) => {
      if (action === "list") return [lists("/path", path ?? ".")];
      if (action === "diff") return [reads("/path", path ?? ".")];
      return [deletesFile === true ? deletes("/path", path ?? "") : writes("/path", path ?? "")];
    },
    completeArguments: async ({ deletesFile: _given, ...args }, { conversationId }) => {
      if (args.action === "list") return args;
      const { row } = await findAskedChange(conversationId, args);
      const completed = { ...args, change: row.id, path: row.path };
      return args.action === "restore" && row.beforeBytes === null ? { ...completed, deletesFile: true } : completed;
    },
  },
  input: z
    .object({
      action: z.enum(["list", "diff", "restore"]).default("list").describe("What to do"),
      change: z.string().min(1).max(100).optional().describe("Id from list"),
      path: PathArgument.optional().describe("Relative to the workspace"),
      force: z.boolean().default(false).describe("restore: although the file changed since"),
      deletesFile: z.boolean().optional().describe("Leave this out: it is filled in for the person who decides"),
    })
    .superRefine(({ action, change, path }, context) => {
      if (action === "list" && change !== undefined) {
        context.addIssue({ code: "custom", path: ["change"], message: "does not belong to list; send action diff or restore" });
      }
      if (action === "diff" && change === undefined && path === undefined) {
        context.addIssue({ code: "custom", path: ["change"], message: "diff needs change or path" });
      }
    }),
  async execute({ action, change, path, force, deletesFile = false }, { files, file_changes }) {
    if (action === "list") return listed(await file_changes.list(path ?? null), path);
    const found = await file_changes.find({ change, path });
    if (action === "diff") return compared(found, await readNow(files, found.row.path));
    // The guard decided one of the two, and the change decides which of them happens.
    if (deletesFile !== (found.row.beforeBytes === null))
      throw new AppError("conflict", "The change is another one by now. Send the call again.");
    const { message, isChanged } = await restoreFile(files, found.row, { force });
    return isChanged ? `${message} checkpoints lists this restore, so that it can be undone.` : message;
  },
});

function listed(found: readonly FoundChange[], path: string | undefined): string {
  const where = path === undefined ? "in this conversation" : `of ${path} in this conversation`;
  if (found.length === 0) return `No file tool has changed a file ${where}. ${notRecorded}`;
  const undone = new Set(found.map(({ row }) => row.restores));
  const lines = found.map(({ row, change }) => {
    const by = change.restores ? "restored" : change.kind;
    const size = [change.bytesBefore, change.bytesAfter]
      .map((bytes) => (bytes === null ? "nothing" : bytes.toLocaleString("en")))
      .join(" → ");
    const notes = [undone.has(row.id) ? "undone" : "", change.notRestorable ?? ""].filter(Boolean);
    const note = notes.length === 0 ? "" : ` [${notes.join("; ")}]`;
    return `${change.id} ${change.createdAt} ${by} ${change.path} by ${change.tool ?? change.by.name} (bytes: ${size})${note}`;
  });
  return `Changes of files ${where}, newest first. ${notRecorded}\n${lines.join("\n")}`;
}

async function compared({ row, change }: FoundChange, now: Awaited<ReturnType<typeof readNow>>): Promise<string> {
  const { before, after, now: text, notShown } = await comparedTexts(row, now);
  const state = stateOf(row, now);
  const head = `${change.path}: ${change.kind} by ${change.tool ?? change.by.name} at ${change.createdAt}.`;
  const parts = [head];
  if (before !== null && after !== null) parts.push(`Change:\n${diffText(before, after)}`);
  if (state === "as_before") parts.push("The file is as it was before this change.");
  if (state === "changed_since") {
    parts.push("The file was changed since. Restoring (force: true) would make these changes to the file as it is:");
    if (before !== null && text !== null) parts.push(diffText(text, before));
  }
  if (notShown !== null) parts.push(`(${notShown})`);
  return parts.join("\n");
}
