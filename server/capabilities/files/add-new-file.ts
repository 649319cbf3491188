import { AppError, isAppError } from "@/server/platform/errors";
import { numberedName, safeFileName } from "./file-names";
import type { FilesCapability } from "./files";

const maxTries = 100;

/** Folder of the files that web pages and servers send, in the conversation's folder. */
export const downloadsFolder = "downloads";

/**
 * Adds a file to a folder under a safe form of its name. No file is replaced: a taken name gets a number.
 * @returns the path of the file
 * @throws AppError `conflict` when a hundred names are taken
 */
export async function addNewFile(
  files: Pick<FilesCapability, "changeFiles">,
  folder: string,
  { name, bytes }: { name: string; bytes: Uint8Array },
): Promise<string> {
  const safe = safeFileName(name);
  for (let number = 1; number <= maxTries; number++) {
    const path = `${folder}/${numberedName(safe, number)}`;
    try {
      // `isNew` makes two files of one name take two names, because the second write finds the first file.
      await files.changeFiles([{ path, bytes, isNew: true }]);
      return path;
    } catch (error) {
      if (!isAppError(error) || error.code !== "conflict") throw error;
    }
  }
  throw new AppError("conflict", `The folder has a hundred files named like ${safe}. Choose another name.`);
}

/**
 * Adds a downloaded file to the conversation's folder, so that every tool for files opens it.
 * @returns its path, or a sentence that says why it is not there
 */
export async function addDownload(
  files: Pick<FilesCapability, "changeFiles">,
  file: { name: string; bytes: Uint8Array },
): Promise<{ path: string } | { fault: string }> {
  try {
    return { path: await addNewFile(files, downloadsFolder, file) };
  } catch (error) {
    const reason = isAppError(error) ? error.message : "the file could not be written.";
    return { fault: `It is not in the folder ${downloadsFolder}: ${reason}` };
  }
}
