import "server-only";
import { z } from "zod";
import { defineCapability } from "@/server/capabilities/define-capability";
import { AppError } from "@/server/platform/errors";
import { type FoundChange, findChange, findChanges } from "./find-changes";

const listedAtMost = 50;
const thisTool = "checkpoints with action list shows the recorded changes.";

/** The recorded changes of one conversation's files. */
export type FileChangesCapability = {
  /** Returns changes, newest first. */
  list: (path: string | null) => Promise<FoundChange[]>;
  /** Returns the change with an id, or the newest change of a path. @throws AppError `not_found` */
  find: (asked: AskedChange) => Promise<FoundChange>;
};

export type AskedChange = { change?: string | undefined; path?: string | undefined };

export const fileChanges = defineCapability({
  name: "file_changes",
  title: "Earlier contents of files",
  isOfConversation: true,
  touchesFiles: true,
  create: ({ conversationId }): FileChangesCapability => ({
    list: (path) => findChanges({ conversationId, ...(path === null ? {} : { path }), limit: listedAtMost }),
    find: (asked) => findAskedChange(conversationId, asked),
  }),
});

/** Finds a change by its id, or the newest one that is no restore. @throws AppError `not_found` with the way to the list */
export async function findAskedChange(conversationId: string, { change, path }: AskedChange): Promise<FoundChange> {
  if (change === undefined) {
    const found = await findChanges({ conversationId, ...(path === undefined ? {} : { path }), limit: listedAtMost });
    const undone = new Set(found.map(({ row }) => row.restores));
    const newest = found.find(({ row }) => row.restores === null && !undone.has(row.id));
    if (newest) return newest;
    throw new AppError(
      "not_found",
      `No change ${path === undefined ? "of this conversation" : `of ${path}`} is left to restore. ${thisTool}`,
    );
  }
  const id = z.uuid().safeParse(change.trim());
  if (!id.success) throw new AppError("not_found", `There is no change ${change.slice(0, 100)}. ${thisTool}`);
  const found = await findChange(conversationId, id.data);
  if (path !== undefined && found.row.path !== path) {
    throw new AppError("invalid", `The change ${id.data} is of ${found.row.path}, not of ${path}. Send one of the two.`);
  }
  return found;
}
