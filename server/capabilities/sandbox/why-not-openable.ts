import "server-only";
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { isAppError } from "@/server/platform/errors";
import { assertOpenable, isWithin, ownPaths } from "./protected-paths";
import { systemFolder } from "./system-folder";

/**
 * Returns why no opening can show a path outside of the folder to a command in the sandbox, as a sentence; null when an opening can.
 * @param file absolute, without glob characters
 */
export function whyNotOpenable(file: string, { isWritable }: { isWritable: boolean }): string | null {
  try {
    const own = ownPaths();
    assertOpenable(file, own);
    if (!existsSync(file)) return isWritable && existsSync(path.dirname(file)) ? missingTarget(file) : `There is no ${file}.`;
    const real = realpathSync(file);
    assertOpenable(real, own);
    // The sandbox's /etc is a read-only copy of a few files, in which nothing else can be mounted.
    if (isWithin(real, "/etc") && real !== "/etc" && !existsSync(path.join(systemFolder().etc, path.relative("/etc", real))))
      return `The sandbox has an /etc of its own, in which ${file} cannot be shown.`;
    return null;
  } catch (error) {
    return isAppError(error) ? error.message : null;
  }
}

const missingTarget = (file: string) =>
  `There is no ${file}, so it cannot be opened for writing. Name the folder that it is to be made in.`;
