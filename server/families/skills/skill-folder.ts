import "server-only";
import { chmod, mkdir, mkdtemp, readdir, realpath, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { digestOfHashes } from "./packages/file-digests";
import { listFiles, readFiles } from "./save-skill";
import type { SkillRow } from "./skill-state";

const keptMs = 7 * 86_400_000;

/**
 * Returns the absolute folder of a skill's files on this replica, filled from the rows when it is not there. A folder is
 * named by its content, so it never changes; unused ones are removed after a week.
 */
export async function skillFolder(skill: Pick<SkillRow, "id" | "name" | "contentVersion">): Promise<string> {
  const root = path.join(env().dataDir, "skill-folders");
  const digest = digestOfHashes(await listFiles(db(), skill)).slice(0, 24);
  const parent = path.join(root, digest);
  const folder = path.join(parent, skill.name);
  if (await isFolder(folder)) {
    const now = new Date();
    await utimes(parent, now, now).catch(() => {});
    return realpath(folder);
  }
  await mkdir(root, { recursive: true });
  const files = await readFiles(db(), skill);
  const temporary = await mkdtemp(path.join(root, ".new-"));
  try {
    for (const [file, bytes] of files) {
      const full = path.join(temporary, skill.name, file);
      await mkdir(path.dirname(full), { recursive: true });
      // Packages lose the right to execute on their way through archives.
      await writeFile(full, bytes, { mode: 0o555 });
    }
    await chmod(temporary, 0o755);
    await rename(temporary, parent).catch(async (error: unknown) => {
      // Another call of this moment made the same folder.
      if (!(await isFolder(folder))) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  await removeUnused(root);
  return realpath(folder);
}

const isFolder = (file: string): Promise<boolean> =>
  stat(file).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

async function removeUnused(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    const folder = path.join(root, name);
    const stats = await stat(folder).catch(() => null);
    if (stats && Date.now() - stats.mtimeMs > keptMs) await rm(folder, { recursive: true, force: true });
  }
}
