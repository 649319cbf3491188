import "server-only";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import type { CallFileRole, KeptContents } from "@/contracts/calls/call-contents";
import { isRebuildable } from "@/server/guard/paths/locate-path";

const maxFiles = 500;
const maxFileBytes = 64 * 1_048_576;
const maxBytes = 256 * 1_048_576;
const maxTextBytes = 256 * 1_024;

/** A file that was hashed, with its text where it is short and no binary. */
export type HashedFile = { shown: string; text: string | null };

/** Hashes files and folders, and says in sentences what it could not hash. */
export class ContentHasher {
  readonly #files = new Map<string, KeptContents["files"][number]>();
  readonly #notFixed = new Set<string>();
  #bytes = 0;

  /** The files that are read for the names of others. */
  readonly unread: HashedFile[] = [];
  /** Texts that are hashed, and too long to be read for the names of others. */
  readonly longTexts: string[] = [];

  has(shown: string): boolean {
    return this.#files.has(shown);
  }

  kept(): KeptContents {
    const files = [...this.#files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    return { files, notFixed: [...this.#notFixed] };
  }

  cannotFix(sentence: string): void {
    this.#notFixed.add(sentence);
  }

  /**
   * Hashes a file, or everything in a folder. A path that does not exist is left out, so that its appearance is a change.
   * @param shown the path for people
   */
  async add(file: string, shown: string, as: CallFileRole, { isData = false }: { isData?: boolean } = {}): Promise<void> {
    if (this.#files.has(shown)) return;
    const stats = await stat(file).catch((error: NodeJS.ErrnoException) => error);
    if (stats instanceof Error) {
      if (stats.code !== "ENOENT" && stats.code !== "ENOTDIR") this.cannotFix(`${shown} cannot be read (${stats.code}).`);
    } else if (stats.isDirectory()) {
      if (isData) this.cannotFix(`What lies in ${shown} may change.`);
      else await this.#addFolder(file, shown, as);
    } else if (!stats.isFile()) this.cannotFix(`${shown} is no regular file.`);
    else if (stats.size > maxFileBytes) this.cannotFix(`${shown} is larger than ${maxFileBytes / 1_048_576} MiB.`);
    else if (this.#files.size >= maxFiles || this.#bytes + stats.size > maxBytes) {
      this.cannotFix(`More than ${maxFiles} files or ${maxBytes / 1_048_576} MiB belong to this call; the rest may change.`);
    } else {
      this.#bytes += stats.size;
      await this.#hash(file, shown, as, stats.size);
    }
  }

  /** Hashes a part of a short text. A file that does not exist is left out, so that its appearance is a change. */
  async addPart(file: string, shown: string, as: CallFileRole, partOf: (text: string) => string): Promise<void> {
    const stats = await stat(file).catch(() => null);
    if (stats === null || this.#files.has(shown)) return;
    if (!stats.isFile() || stats.size > maxTextBytes) return this.cannotFix(`${shown} is no short text.`);
    try {
      const part = partOf(await readFile(file, "utf8"));
      this.#files.set(shown, { path: shown, as, sha256: createHash("sha256").update(part).digest("hex") });
    } catch (error) {
      this.cannotFix(`${shown} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
    }
  }

  async #hash(file: string, shown: string, as: CallFileRole, size: number): Promise<void> {
    try {
      if (size > maxTextBytes) {
        const hash = createHash("sha256");
        let isText = true;
        for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
          hash.update(chunk);
          isText &&= !chunk.includes(0);
        }
        this.#files.set(shown, { path: shown, as, sha256: hash.digest("hex") });
        if (isText) this.longTexts.push(shown);
        return;
      }
      const bytes = await readFile(file);
      this.#files.set(shown, { path: shown, as, sha256: createHash("sha256").update(bytes).digest("hex") });
      this.unread.push({ shown, text: bytes.includes(0) ? null : bytes.toString("utf8") });
    } catch (error) {
      this.cannotFix(`${shown} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
    }
  }

  async #addFolder(folder: string, shown: string, as: CallFileRole): Promise<void> {
    const visited = new Set<string>();
    for (const open = [{ folder, shown }]; open.length > 0; ) {
      const next = open.pop();
      if (!next) break;
      const real = await realpath(next.folder).catch(() => null);
      if (real === null || visited.has(real)) continue;
      visited.add(real);
      const entries = await readdir(next.folder, { withFileTypes: true }).catch(() => null);
      if (!entries) {
        this.cannotFix(`The folder ${next.shown} cannot be read.`);
        continue;
      }
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const at = next.shown === "." ? entry.name : `${next.shown}/${entry.name}`;
        const file = path.join(next.folder, entry.name);
        const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && ((await stat(file).catch(() => null))?.isDirectory() ?? false));
        if (entry.name === ".git") continue;
        // A build writes these again and again, so they would never stay as they are.
        if (isRebuildable(at)) {
          if (isFolder) this.cannotFix(`What lies in ${at} may change.`);
        } else if (isFolder) open.push({ folder: file, shown: at });
        else await this.add(file, at, as);
        if (this.#files.size >= maxFiles) {
          this.cannotFix(`The folder ${shown} holds more than ${maxFiles} files; the rest may change.`);
          return;
        }
      }
    }
  }
}
