import type { FilesCapability } from "@/server/capabilities/files/files";
import { artifactIdOf } from "@/server/capabilities/files/path-argument";
import { editDistance } from "@/server/platform/edit-distance";
import { AppError, isAppError } from "@/server/platform/errors";

const maxListed = 5_000;
const maxSuggested = 3;

/** Runs work on a file. When the file is missing, the error suggests files with similar names. */
export async function withSimilarPaths<T>(
  path: string,
  { files, signal }: { files: FilesCapability; signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isAppError(error) || error.code !== "not_found" || artifactIdOf(path) !== null) throw error;
    const similar = await similarPaths(path, files, signal).catch(() => []);
    if (similar.length === 0) throw error;
    throw new AppError("not_found", `There is no ${path} in the workspace. Did you mean ${similar.join(" or ")}?`, { cause: error });
  }
}

/** Finds files with the same or nearly the same name, nearest first. */
async function similarPaths(path: string, files: FilesCapability, signal: AbortSignal): Promise<string[]> {
  const all = { text: "", regex: false, ignoreCase: false, path: ".", globs: [], includeIgnored: false };
  const { results } = await files.searchNames({ ...all, limit: maxListed, signal });
  const found = results.flatMap(({ path: other }) => {
    const distance = distanceOf(path, other);
    return distance === null ? [] : [{ path: other, distance }];
  });
  return found
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, maxSuggested)
    .map((similar) => similar.path);
}

/** Returns 0 for the same name in another folder, else the edit distance of the names; null for dissimilar names. */
function distanceOf(wanted: string, path: string): number | null {
  const [a, b] = [pathName(wanted).toLowerCase(), pathName(path).toLowerCase()];
  if (a === b) return 0;
  const most = a.length < 5 ? 1 : 2;
  const distance = Math.abs(a.length - b.length) <= most ? editDistance(a, b) : Number.POSITIVE_INFINITY;
  if (distance <= most) return distance;
  // The same name with another extension: `config.js` for `config.ts`.
  const stem = a.replace(/\.[^.]*$/, "");
  return stem.length >= 3 && stem === b.replace(/\.[^.]*$/, "") ? most + 1 : null;
}

const pathName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
