import "server-only";
import { randomUUID } from "node:crypto";
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { StartError } from "@/db/start-error";

/**
 * Makes the folder if it is missing, closed to other users, and tries to write into it.
 * @throws StartError that names the environment variable of the folder
 */
export async function prepareFolder(
  folder: string,
  variable: "HANDRAIL_DATA_DIR" | "HANDRAIL_WORKSPACE_ROOT" | "HANDRAIL_BLOBS_DIR",
): Promise<void> {
  const trial = path.join(folder, `.trial-${randomUUID()}`);
  try {
    await makeFolder(folder);
    await writeFile(trial, "");
    await rm(trial);
  } catch (error) {
    throw new StartError(`The folder ${folder} cannot be written to (${reasonOf(error)}): set ${variable} to one that can.`);
  }
}

/** Makes a folder and its parents. Node's recursive mkdir never returns under folders such as /proc. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST" && (await stat(folder)).isDirectory()) return;
    if (code !== "ENOENT" || (await isThere(path.dirname(folder)))) throw error;
    await makeFolder(path.dirname(folder));
    await mkdir(folder, { mode: 0o700 });
  }
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "");

function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "EROFS":
      return "the file system is read-only";
    case "ENOTDIR":
    case "EEXIST":
      return "something in its path is a file, not a folder";
    case "ENOENT":
      return "it cannot be made there";
    case "ENOSPC":
      return "no space is left";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
