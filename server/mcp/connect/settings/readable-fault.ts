import "server-only";
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { isWithin, ownPaths } from "@/server/capabilities/sandbox/protected-paths";

/** Returns the absolute path of an entry of `readablePaths`, which may begin with `~/`. */
export const readablePath = (entry: string): string =>
  entry.startsWith("~/") ? path.join(homedir(), entry.slice(2)) : path.normalize(entry);

/** Returns why no server's program may read a path; null when one may. */
export function readableFault(entry: string): string | null {
  const file = readablePath(entry);
  const isOwn = [file, realPathOf(file)].some((one) => ownPaths().some((own) => isWithin(one, own)));
  return isOwn
    ? `names ${entry}, which belongs to Handrail itself and is shown to no server. Remove it from the paths that it may read`
    : null;
}

function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
