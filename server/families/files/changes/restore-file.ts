import "server-only";
import type { FilesCapability } from "@/server/capabilities/files/files";
import { readKeptContent } from "@/server/conversations/file-changes/kept-content";
import { type ChangeRow, folderName } from "@/server/conversations/file-changes/record-changes";
import { AppError } from "@/server/platform/errors";
import { readNow, stateOf } from "./compare-change";
import { notRestorable } from "./present-change";

/**
 * Puts a file back as it was before a change. The caller holds the folder's lock, so that no tool writes meanwhile.
 * @returns a sentence, and whether the file was changed
 * @throws AppError `conflict` when the file was changed since and `force` is not set, or its old content is not kept
 */
export async function restoreFile(
  files: FilesCapability,
  row: ChangeRow,
  { force }: { force: boolean },
): Promise<{ message: string; isChanged: boolean }> {
  const { id, path } = row;
  if (row.folder !== folderName(files.root)) {
    throw new AppError("conflict", `${path} was changed in another folder, which the conversation does not use any more.`);
  }
  const reason = notRestorable(row);
  if (reason !== null) throw new AppError("conflict", `${path} cannot be restored. ${reason}`);
  const now = await readNow(files, path);
  const state = stateOf(row, now);
  if (state === "as_before") return { message: `${path} is already as it was before this change.`, isChanged: false };
  if (state === "changed_since" && !force) {
    throw new AppError(
      "conflict",
      `${path} was changed after this change, and restoring would undo that, too. Compare the change with the file as it is, then restore with force: true.`,
    );
  }
  if (row.beforeBlob === null) {
    await files.changeFiles([{ path, bytes: null, restores: id }]);
    return { message: `Deleted ${path}, because it did not exist before this change.`, isChanged: true };
  }
  const bytes = await readKeptContent(row.beforeBlob);
  await files.changeFiles([{ path, bytes, restores: id, ...(row.beforeMode === null ? {} : { mode: row.beforeMode }) }]);
  const size = `${bytes.byteLength.toLocaleString("en")} ${bytes.byteLength === 1 ? "byte" : "bytes"}`;
  return { message: `Restored ${path} as it was before this change (${size}).`, isChanged: true };
}
