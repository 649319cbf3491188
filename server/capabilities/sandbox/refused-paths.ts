import "server-only";
import { glob, lstat } from "node:fs/promises";
import path from "node:path";
import { isWithin } from "./protected-paths";

/** Further paths are held by the guard's reading of a call only. */
const maxPaths = 200;

/**
 * Returns the existing paths, relative to `root`, that people refused to have changed. The folder itself is never among
 * them, because every command works in it. A link has no mount of its own, so only the file behind it is held.
 * @param targets paths as a refusal names them, globs too
 */
export async function refusedPaths(root: string, targets: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const target of targets) {
    const file = path.resolve(root, target);
    if (!isWithin(file, root) || file === root) continue;
    const names = (await exists(file)) ? [path.relative(root, file)] : await matching(root, path.relative(root, file));
    for (const name of names) if (found.size < maxPaths && (await exists(path.join(root, name)))) found.add(name);
  }
  // A mount of a folder holds everything below it.
  return [...found].filter((name) => ![...found].some((outer) => outer !== name && isWithin(name, outer)));
}

async function matching(root: string, pattern: string): Promise<string[]> {
  if (!/[*?[]/.test(pattern)) return [];
  const found: string[] = [];
  // The shell reads `**` as `*`; as a search through all folders it could take long.
  for await (const name of glob(pattern.replaceAll(/\*{2,}/g, "*"), { cwd: root })) {
    found.push(name);
    if (found.length >= maxPaths) break;
  }
  return found;
}

async function exists(file: string): Promise<boolean> {
  const stats = await lstat(file).catch(() => null);
  return stats !== null && !stats.isSymbolicLink();
}
