import "server-only";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { sha256 } from "@/server/platform/crypto";
import { env } from "@/server/platform/env";
import { processWide } from "@/server/platform/process-wide";

/** A file of the folder that the conversation's commands did not make, as it was when its copy was taken. */
export type KnownFile = {
  /** Relative to the folder. */
  path: string;
  inode: number;
  bytes: number;
  mode: number;
  changedAt: number;
  /** Name of the copy in the store; null where none is kept. */
  copy: string | null;
};

export type CopiesManifest = {
  files: KnownFile[];
  /** The `.git` folders that the conversation's commands did not make. */
  repositories: string[];
  /** Files changed up to this time may be unknown although no command made them, because there were too many. */
  unknownUntil: number;
  nextCopy: number;
};

const emptyManifest = (): CopiesManifest => ({ files: [], repositories: [], unknownUntil: 0, nextCopy: 1 });

/** Copies that no command used for this time are deleted; the next command takes new ones. */
const keptUnusedMs = 7 * 24 * 3_600_000;

const storesFolder = (): string => path.join(/* turbopackIgnore: true */ env().dataDir, "file-copies");

/** Copies of the files in one folder, for the commands of one conversation. */
export class CopiesStore {
  readonly #folder: string;

  constructor(conversationId: string, root: string) {
    this.#folder = path.join(storesFolder(), conversationId, sha256(root).slice(0, 16));
  }

  /** Runs work alone among the commands of this process. */
  async locked<T>(work: () => Promise<T>): Promise<T> {
    const tails = processWide("fileCopyLocks", () => new Map<string, Promise<unknown>>());
    const mine = (tails.get(this.#folder) ?? Promise.resolve()).then(work, work);
    const tail = mine.catch(() => {});
    tails.set(this.#folder, tail);
    try {
      return await mine;
    } finally {
      if (tails.get(this.#folder) === tail) tails.delete(this.#folder);
    }
  }

  async readManifest(): Promise<CopiesManifest> {
    const text = await readFile(this.#at("manifest.json"), "utf8").catch(() => null);
    return text === null ? emptyManifest() : (JSON.parse(text) as CopiesManifest);
  }

  /** Writes the manifest in one step, because a crash must not leave half of it. */
  async writeManifest(manifest: CopiesManifest): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(this.#at("manifest.new"), JSON.stringify(manifest), { mode: 0o600 });
    await rename(this.#at("manifest.new"), this.#at("manifest.json"));
  }

  /** Returns the ids of calls whose commands have not ended. */
  async readOpenCalls(): Promise<string[]> {
    const text = await readFile(this.#at("open.json"), "utf8").catch(() => "[]");
    return JSON.parse(text === "" ? "[]" : text) as string[];
  }

  async writeOpenCalls(callIds: readonly string[]): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(this.#at("open.json"), JSON.stringify(callIds), { mode: 0o600 });
  }

  async writeCopy(name: string, content: Uint8Array): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(this.#at(name), content, { mode: 0o600 });
  }

  readCopy(name: string): Promise<Uint8Array> {
    return readFile(this.#at(name));
  }

  async removeCopy(name: string): Promise<void> {
    await rm(this.#at(name), { force: true });
  }

  /** Returns when the last command ended, by the clock of the file system; null before the first one. */
  async lastEnd(): Promise<number | null> {
    return (await stat(this.#at("ended")).catch(() => null))?.ctimeMs ?? null;
  }

  async noteEnd(): Promise<void> {
    const now = new Date();
    await utimes(this.#at("ended"), now, now).catch(() => writeFile(this.#at("ended"), ""));
  }

  #at(name: string): string {
    return path.join(this.#folder, name);
  }
}

/** Deletes the copies of a conversation that is deleted. */
export async function removeCopies(conversationId: string): Promise<void> {
  await rm(path.join(storesFolder(), conversationId), { recursive: true, force: true });
}

/** Deletes copies that no command used for a week. */
export async function removeOldCopies(): Promise<void> {
  for (const conversationId of await readdir(storesFolder()).catch(() => [])) {
    const folder = path.join(storesFolder(), conversationId);
    for (const name of await readdir(folder).catch(() => [])) {
      const used = await stat(path.join(folder, name, "open.json")).catch(() => null);
      if (used && Date.now() - used.mtimeMs > keptUnusedMs) await rm(path.join(folder, name), { recursive: true, force: true });
    }
  }
}
