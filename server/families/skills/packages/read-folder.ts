import "server-only";
import { constants } from "node:fs";
import { lstat, open, readdir, realpath } from "node:fs/promises";
import path from "node:path";
import { maxSkillFileBytes } from "@/contracts/skills/skills";
import { isWithin, ownPaths } from "@/server/capabilities/sandbox/protected-paths";
import { AppError, isAppError } from "@/server/platform/errors";
import { mainFile } from "../format/skill-paths";
import { isIgnoredFile } from "./package-files";

const maxEntries = 20_000;
const maxTotalBytes = 200 * 1_048_576;

/**
 * Reads the skills of a folder of the machine. Links are left out, because they lead elsewhere.
 * @throws AppError `invalid`, `not_found`, `forbidden` for folders of Handrail itself
 */
export async function readFolder(given: string): Promise<ReadonlyMap<string, Uint8Array>> {
  if (!path.isAbsolute(given)) throw new AppError("invalid", "path: name the folder from the root, such as /srv/skills.");
  const root = await realpath(given).catch(() => null);
  const stats = root === null ? null : await lstat(root);
  if (root === null || !stats?.isDirectory())
    throw new AppError("not_found", `path: there is no folder ${given} on this machine that Handrail may read.`);
  if (ownPaths().some((own) => isWithin(root, own) || isWithin(own, root))) {
    throw new AppError("forbidden", `path: ${given} holds files of Handrail itself. Copy the skills to a folder of their own.`);
  }
  const names = await readdir(root, { recursive: true, withFileTypes: true }).catch(unreadable);
  if (names.length > maxEntries)
    throw new AppError("too_large", `path: the folder has more than ${maxEntries} entries. Name the skill's own folder.`);
  const all = names
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"));
  const folders = all.filter((file) => file === mainFile || file.endsWith(`/${mainFile}`)).map((file) => file.slice(0, -mainFile.length));
  const wanted = all.filter((file) => !isIgnoredFile(file) && folders.some((folder) => file.startsWith(folder))).sort();
  const files = new Map<string, Uint8Array>();
  let total = 0;
  for (const file of wanted) {
    const bytes = await readListed(path.join(root, file), file).catch(unreadable);
    total += bytes.byteLength;
    if (total > maxTotalBytes)
      throw new AppError("too_large", `path: the folder holds more than ${maxTotalBytes / 1_048_576} MiB. Name the skill's own folder.`);
    files.set(file, bytes);
  }
  return files;
}

/** Reads a file that was listed. The folder may have changed since: what became a link is not followed. */
async function readListed(full: string, name: string): Promise<Uint8Array> {
  const handle = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (stats.size > maxSkillFileBytes) throw new AppError("too_large", `${name} has more than 1 MiB. Leave it out, or make it smaller.`);
    const buffer = new Uint8Array(stats.size + 1);
    const { bytesRead } = stats.isFile() ? await handle.read(buffer) : { bytesRead: 0 };
    if (!stats.isFile() || bytesRead !== stats.size)
      throw new AppError("conflict", `path: ${name} changed while the folder was read. Install again when it rests.`);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Says which file or folder could not be read, where the machine says so. @throws AppError `invalid` */
function unreadable(error: NodeJS.ErrnoException | AppError): never {
  if (isAppError(error)) throw error;
  const place = error.path ?? "the folder";
  throw new AppError(
    "invalid",
    `path: ${place} cannot be read (${error.code ?? "unknown"}). Name a folder that Handrail may read and that does not change.`,
  );
}
