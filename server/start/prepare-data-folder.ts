import "server-only";
import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { StartError } from "@/db/start-error";

/**
 * Makes the folder if need be, closed to other users, and tries to write into it.
 * @throws StartError that names the variable it comes from
 */
export async function prepareFolder(folder: string, variable: "HANDRAIL_DATA_DIR" | "HANDRAIL_WORKSPACE_ROOT"): Promise<void> {
  const trial = path.join(folder, `.trial-${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(trial, "");
    await rm(trial);
  } catch (error) {
    throw new StartError(
      `Handrail cannot write to the folder ${folder} (${reasonOf(error)}): give it a folder it may write to in ${variable}.`,
    );
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "EROFS":
      return "the file system is read-only";
    case "ENOTDIR":
    case "EEXIST":
      return "something in its path is a file, not a folder";
    case "ENOSPC":
      return "no space is left";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
