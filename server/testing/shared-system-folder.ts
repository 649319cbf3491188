import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";

/** The part of the sandbox that is equal for every data folder: copies of /etc and device nodes, half a second to make. */
const isSystemFolder = (name: string) => /^system-[0-9a-f]+$/.test(name);

/** Links the system folders that earlier test files made into a data folder. */
export function offerSystemFolders(dataDir: string): void {
  const shared = inject("sharedSystemFolders");
  const own = path.join(dataDir, "sandbox");
  mkdirSync(own, { mode: 0o700 });
  for (const name of readdirSync(shared).filter(isSystemFolder)) symlinkSync(path.join(shared, name), path.join(own, name));
}

/** Keeps the system folders that a test file made in its data folder, for the files after it. */
export function keepSystemFolders(dataDir: string): void {
  const shared = inject("sharedSystemFolders");
  const own = path.join(dataDir, "sandbox");
  if (!existsSync(own)) return;
  for (const entry of readdirSync(own, { withFileTypes: true })) {
    if (!entry.isDirectory() || !isSystemFolder(entry.name)) continue;
    const kept = path.join(shared, entry.name);
    try {
      renameSync(path.join(own, entry.name), kept);
    } catch (error) {
      // Another worker kept its folder first.
      if (!existsSync(kept)) throw error;
    }
  }
}
