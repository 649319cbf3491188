import "server-only";
import { constants, existsSync, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { AppError, isAppError } from "@/server/platform/errors";
import { definePromptHint } from "@/server/platform/extension-points/prompt-hints";

/** A file does not exist. */
export const missingFile = definePromptHint("missing_file");

/** A workspace folder held open, so that nobody can swap it for another folder during its use. */
export class OpenFolder {
  constructor(
    readonly handle: FileHandle,
    /** Real absolute path. */
    readonly path: string,
  ) {}

  /**
   * Returns a path for file calls that names an entry of this very folder. The path goes through /proc, so it stays valid
   * when the folder is renamed or replaced by a link. Systems without /proc get the plain path.
   */
  at(name: string): string {
    return holdsFolders ? `/proc/self/fd/${this.handle.fd}/${name}` : path.join(this.path, name);
  }
}

/** The target of a path after every link: an entry of an open folder. The entry may not exist yet. */
export type Place = {
  folder: OpenFolder;
  /** Name inside `folder`; "." for the workspace folder itself. */
  name: string;
  /** Real path relative to the workspace folder, with "/"; "." for the folder itself. */
  relative: string;
  /** Stats of the entry itself, never of a link's target; null when the entry does not exist. */
  stats: Stats | null;
};

const holdsFolders = existsSync("/proc/self/fd");
const openFolderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const maxNameBytes = 255;
const maxPathBytes = 4_096;
const maxLinks = 40;

/**
 * Resolves a path below a workspace folder, one open folder at a time, like the kernel's RESOLVE_BENEATH: we follow links
 * ourselves, and only links that stay inside. A missing workspace folder is created (0700). Unlike the kernel, a `..` of
 * the given path never goes up from a link's target.
 * @throws AppError `forbidden` for a path that leaves the workspace, `invalid` for a malformed path, `not_found` when a
 *   folder on the way is missing and `createFolders` is not set.
 */
export async function atPlace<T>(
  root: string,
  given: string,
  options: { createFolders?: boolean },
  use: (place: Place) => Promise<T>,
): Promise<T> {
  const stack: OpenFolder[] = [];
  try {
    const bottom = await openRoot(root);
    stack.push(bottom);
    const names = namesOf(given, [root, bottom.path]);
    let links = 0;
    while (true) {
      const here = stack.at(-1) ?? bottom;
      const name = names.shift();
      if (name === undefined) {
        return await use({ folder: here, name: ".", relative: relativeTo(bottom, here.path), stats: await here.handle.stat() });
      }
      if (name === "..") {
        if (stack.length === 1) throw leaves(given);
        await stack.pop()?.handle.close();
        continue;
      }
      const stats = await statsOf(here.at(name));
      if (stats?.isSymbolicLink()) {
        links += 1;
        if (links > maxLinks) throw new AppError("invalid", `${given} goes through too many links. Name the file itself.`);
        const target = await readlink(here.at(name));
        if (path.isAbsolute(target)) {
          names.unshift(...insideNames(target, [root, bottom.path], given));
          for (const folder of stack.splice(1)) await folder.handle.close();
        } else {
          names.unshift(...splitNames(target));
        }
        continue;
      }
      if (names.length === 0) {
        return await use({ folder: here, name, relative: relativeTo(bottom, path.join(here.path, name)), stats });
      }
      if (!stats) {
        if (!options.createFolders)
          throw new AppError("not_found", `There is no ${given} in the workspace: the folder ${name} is missing.`);
        await mkdir(here.at(name)).catch(unlessExists);
      }
      stack.push(new OpenFolder(await open(here.at(name), openFolderFlags), path.join(here.path, name)));
    }
  } catch (error) {
    throw fileError(error, given);
  } finally {
    for (const folder of stack) await folder.handle.close();
  }
}

/** Opens the workspace folder itself. Its last component must not be a link, because a command could have swapped it. */
async function openRoot(root: string): Promise<OpenFolder> {
  const attempt = async () => {
    const real = path.join(await realpath(path.dirname(root)), path.basename(root));
    return new OpenFolder(await open(real, openFolderFlags), real);
  };
  return attempt().catch(async (error: unknown) => {
    if (systemErrorCode(error) !== "ENOENT") throw error;
    await mkdir(root, { recursive: true, mode: 0o700 });
    return attempt();
  });
}

async function statsOf(file: string): Promise<Stats | null> {
  return lstat(file).catch((error: unknown) => {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw error;
  });
}

function namesOf(given: string, roots: readonly string[]): string[] {
  if (given === "") throw new AppError("invalid", "The path is empty. Send one relative to the workspace, such as notes/today.md.");
  if (given.includes("\0")) throw new AppError("invalid", "The path contains a NUL character. Send it without.");
  if (!given.isWellFormed()) throw new AppError("invalid", "The path is not valid Unicode. Send it again.");
  if (given === "~" || given.startsWith("~/")) {
    throw new AppError("forbidden", `${given} is outside the workspace. Send a path relative to the workspace, without ~.`);
  }
  if (Buffer.byteLength(given) > maxPathBytes) {
    throw new AppError("invalid", `The path is longer than ${maxPathBytes.toLocaleString("en")} bytes. Send a shorter one.`);
  }
  // `..` removes the name before it, even the name of a link, because the guard decides on the path as written.
  const plain = path.posix.normalize(given);
  const names = path.isAbsolute(plain) ? insideNames(plain, roots, given) : splitNames(plain);
  const tooLong = names.find((name) => Buffer.byteLength(name) > maxNameBytes);
  if (tooLong) throw new AppError("invalid", `The name ${tooLong.slice(0, 40)}… is longer than ${maxNameBytes} bytes. Send a shorter one.`);
  return names;
}

function insideNames(absolute: string, roots: readonly string[], given: string): string[] {
  const root = roots.find((root) => absolute === root || absolute.startsWith(`${root}/`));
  if (root === undefined) throw leaves(given);
  return splitNames(absolute.slice(root.length));
}

function splitNames(text: string): string[] {
  return text.split("/").filter((name) => name !== "" && name !== ".");
}

function relativeTo(bottom: OpenFolder, absolute: string): string {
  return path.relative(bottom.path, absolute) || ".";
}

function leaves(given: string): AppError {
  return new AppError("forbidden", `${given} is outside the workspace. Send a path relative to the workspace, such as notes/today.md.`);
}

function unlessExists(error: unknown): void {
  if (systemErrorCode(error) !== "EEXIST") throw error;
}

/** Returns the code of a system error ("ENOENT"), or null. */
export function systemErrorCode(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** Turns a system error about a path into an AppError; returns other errors unchanged. */
export function fileError(error: unknown, given: string): unknown {
  if (isAppError(error)) return error;
  const code = systemErrorCode(error);
  switch (code) {
    case "ENOENT":
      return new AppError("not_found", `There is no ${given} in the workspace. ${missingFile.text()}`.trimEnd());
    case "ENOTDIR":
      return new AppError("invalid", `A part of ${given} is a file, not a folder. Check the path.`);
    case "EISDIR":
      return new AppError("invalid", `${given} is a folder. Name a file in it.`);
    case "ELOOP":
    case "EINVAL":
      // ELOOP: a link appeared since the check. EINVAL: a link disappeared.
      return new AppError("conflict", `${given} was replaced by something else while it was being used. Look at it again.`);
    case "ENAMETOOLONG":
      return new AppError("invalid", `${given.slice(0, 80)} is too long for a path. Send a shorter one.`);
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new AppError("forbidden", `The system does not allow this with ${given} (${code}). Use another file.`);
    case "ENXIO":
      return notAFile(given);
    case "ENOSPC":
    case "EDQUOT":
      return new AppError("unavailable", `The disk of the workspace is full; ${given} was left as it was. Delete something first.`);
    default:
      return error;
  }
}

export function notAFile(given: string): AppError {
  return new AppError("invalid", `${given} is a pipe, a socket or a device. Only files and folders can be used.`);
}
