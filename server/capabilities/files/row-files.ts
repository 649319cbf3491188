import path from "node:path";
import { AppError, isAppError } from "@/server/platform/errors";
import type { FilesCapability } from "./files";
import type { MayReplace } from "./may-replace";
import { readingVirtualFiles, type VirtualFile } from "./virtual-files";

/** The text of a file that is made from rows, and the latest change of those rows. */
export type RowText = { text: string; changedAt: Date };

/** A file whose text is made from rows, and whose changes change rows. Nothing of it lies in a folder. */
export type RowFile = {
  path: string;
  /** @throws AppError `forbidden` for somebody who may not read the rows */
  read(): Promise<RowText>;
  /**
   * Changes the rows, all of them or none.
   * @param basis the latest change that the new text knows of
   * @returns a sentence about what was changed
   * @throws AppError `invalid` with the line of a mistake, `conflict` when the rows have changed since, `forbidden`
   */
  write(text: string, basis: Date): Promise<string>;
};

/** Finds the file of rows at a path; null for every other path. */
export type FindRowFile = (path: string) => RowFile | null;

/** Adds files of rows to the files of a folder. A file that lies in the folder at such a path stays itself. */
export function withRowFiles(
  files: FilesCapability,
  { find, mayReplace }: { find: FindRowFile; mayReplace?: MayReplace },
): FilesCapability {
  const at = async (given: string): Promise<RowFile | null> => {
    const file = find(given);
    return file && !(await isInFolder(files, given)) ? file : null;
  };
  const assertNone = async (given: string, sentence: string): Promise<void> => {
    if (await at(given)) throw new AppError("invalid", `${given} ${sentence}`);
    await assertNotBelow(given);
  };
  const assertNotBelow = async (given: string): Promise<void> => {
    for (let above = path.dirname(given); above !== path.dirname(above); above = path.dirname(above))
      if (await at(above)) throw new AppError("invalid", `${above} is a list that Handrail keeps and no folder, so nothing lies below it.`);
  };

  return {
    ...readingVirtualFiles(files, async (given) => {
      const file = await at(given);
      return file && asVirtualFile(file.path, await file.read());
    }),

    async writeBytes(given, bytes, options = {}) {
      const file = await at(given);
      if (!file) {
        await assertNotBelow(given);
        return files.writeBytes(given, bytes, options);
      }
      const { text: before, changedAt } = await file.read();
      const { append = false, isEdit = false } = options;
      // An append keeps everything, so it needs no reading before, as with other files.
      if (!append) await mayReplace?.({ given, relative: file.path, changedAt: changedAt.getTime(), isEdit });
      const text = Buffer.from(bytes).toString("utf8");
      const note = await file.write(append ? before + text : text, changedAt);
      return { created: false, bytesWritten: bytes.byteLength, note };
    },

    async writeChunks(given, chunks, options) {
      await assertNone(given, "is a list that Handrail keeps, so no file can be put in its place. Write its text.");
      return files.writeChunks(given, chunks, options);
    },

    async changeFiles(changes) {
      for (const { path } of changes)
        await assertNone(path, "is a list that Handrail keeps: no patch changes it, and it is never deleted. Edit or write its text.");
      return files.changeFiles(changes);
    },
  };
}

async function isInFolder(files: FilesCapability, given: string): Promise<boolean> {
  try {
    await files.stat(given);
    return true;
  } catch (error) {
    if (isAppError(error) && error.code === "not_found") return false;
    throw error;
  }
}

function asVirtualFile(at: string, { text, changedAt }: RowText): VirtualFile {
  const content = Buffer.from(text, "utf8");
  return {
    name: path.basename(at),
    bytes: content.byteLength,
    modifiedAt: changedAt,
    version: `rows ${at} ${changedAt.getTime()} ${content.byteLength}`,
    chunks: async function* () {
      yield content;
    },
  };
}
