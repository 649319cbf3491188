import "server-only";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { SearchQuery } from "../search/search-folder";
import type { FilesCapability } from "./files";
import { tooLarge } from "./stage-file";
import { maxFileBytes, workspaceFiles } from "./workspace-files";

/** A file that can be read at a path, and that does not lie in the folder. */
export type VirtualFile = {
  name: string;
  bytes: number;
  modifiedAt: Date;
  /** Changes with the file. */
  version: string;
  /** Begins to read when it is called. */
  chunks: () => AsyncIterable<Uint8Array>;
};

type Reading = Omit<FilesCapability, "writeBytes" | "writeChunks" | "changeFiles">;

/** Reads and searches virtual files beside the files of a folder. `at` returns null for the paths of other files. */
export function readingVirtualFiles(files: FilesCapability, at: (given: string) => Promise<VirtualFile | null>): Reading {
  const searched = async <Q extends SearchQuery, T extends { path: string }, F extends { results: T[] }>(
    query: Q,
    search: (files: FilesCapability, query: Q) => Promise<F>,
  ): Promise<F> => {
    const file = await at(query.path);
    if (!file) return search(files, query);
    const found = await inFolderOfItsOwn(query, file, (folder, inside) => search(folder, { ...query, ...inside }));
    return { ...found, results: found.results.map((result) => ({ ...result, path: query.path })) };
  };

  return {
    root: files.root,

    async readBytes(given, options = {}) {
      const file = await at(given);
      if (!file) return files.readBytes(given, options);
      const { maxBytes = maxFileBytes } = options;
      if (file.bytes > maxBytes) throw tooLarge(given, file.bytes, maxBytes);
      const chunks: Uint8Array[] = [];
      for await (const chunk of file.chunks()) chunks.push(chunk);
      return Buffer.concat(chunks);
    },

    async *readChunks(given, options = {}) {
      const file = await at(given);
      if (!file) {
        yield* files.readChunks(given, options);
        return;
      }
      let skipped = options.start ?? 0;
      for await (const chunk of file.chunks()) {
        const rest = chunk.subarray(skipped);
        skipped = Math.max(0, skipped - chunk.byteLength);
        if (rest.byteLength > 0) yield rest;
      }
    },

    async stat(given) {
      const file = await at(given);
      if (!file) return files.stat(given);
      const { name, bytes, modifiedAt, version } = file;
      return { kind: "file", bytes, modifiedAt, path: given, name: plainName(name), version };
    },

    searchLines: (query) => searched(query, (folder, inside) => folder.searchLines(inside)),
    searchFiles: (query) => searched(query, (folder, inside) => folder.searchFiles(inside)),
    searchNames: (query) => searched(query, (folder, inside) => folder.searchNames(inside)),

    async findUnsearched(query) {
      const file = await at(query.path);
      if (!file) return files.findUnsearched(query);
      const found = await inFolderOfItsOwn(query, file, (folder, inside) => folder.findUnsearched(inside));
      return { ...found, unread: found.unread.map(() => query.path) };
    },
  };
}

type Search<T> = (files: FilesCapability, query: SearchQuery) => Promise<T>;

async function inFolderOfItsOwn<T>(query: SearchQuery, file: VirtualFile, search: Search<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), "handrail-file-"));
  try {
    const name = plainName(file.name);
    await writeFile(path.join(folder, name), file.chunks(), { mode: 0o600, signal: query.signal });
    const { onFound } = query;
    const inside = { ...query, path: name, ...(onFound ? { onFound: (count: number) => onFound(count, query.path) } : {}) };
    return await search(workspaceFiles(folder), inside);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes a name of a file out of a name that may be anything. */
function plainName(name: string): string {
  const plain = name.replaceAll(/[/\\\p{Cc}]/gu, "_").replace(/^[.-]+/, "");
  return Buffer.byteLength(plain) > 200 ? `artifact${path.extname(plain).slice(0, 20)}` : plain || "artifact";
}
