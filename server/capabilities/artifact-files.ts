import "server-only";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { AppError } from "@/server/platform/errors";
import type { FilesCapability } from "./files";
import { artifactIdOf, artifactsAreRead } from "./path-argument";
import type { SearchQuery } from "./search/search-folder";
import { tooLarge } from "./stage-file";
import { maxFileBytes, workspaceFiles } from "./workspace-files";

export type OpenedArtifact = {
  id: string;
  name: string;
  mediaType: string;
  bytes: number;
  createdAt: Date;
  /** Begins to read when it is called. */
  chunks: () => AsyncIterable<Uint8Array>;
};

/** Opens an artifact that the call may read. @throws AppError `not_found` */
export type OpenArtifact = (artifactId: string) => Promise<OpenedArtifact>;

/** Adds the conversation's artifacts to the files of a folder, under the paths `artifact:<id>`. They can only be read. */
export function withArtifacts(files: FilesCapability, open: OpenArtifact): FilesCapability {
  const artifactAt = async (given: string): Promise<OpenedArtifact | null> => {
    const id = artifactIdOf(given);
    return id === null ? null : open(id);
  };

  /** Searches an artifact as the only file of a folder of its own. */
  const inFolder = async <T>(query: SearchQuery, artifact: OpenedArtifact, search: Search<T>): Promise<T> => {
    const folder = await mkdtemp(path.join(tmpdir(), "handrail-artifact-"));
    try {
      const name = plainName(artifact.name);
      await writeFile(path.join(folder, name), artifact.chunks(), { mode: 0o600, signal: query.signal });
      const { onFound } = query;
      const inside = { ...query, path: name, ...(onFound ? { onFound: (count: number) => onFound(count, query.path) } : {}) };
      return await search(workspaceFiles(folder), inside);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  const searched = async <Q extends SearchQuery, T extends { path: string }, F extends { results: T[] }>(
    query: Q,
    search: (files: FilesCapability, query: Q) => Promise<F>,
  ): Promise<F> => {
    const artifact = await artifactAt(query.path);
    if (!artifact) return search(files, query);
    const found = await inFolder(query, artifact, (folder, inside) => search(folder, { ...query, ...inside }));
    return { ...found, results: found.results.map((result) => ({ ...result, path: query.path })) };
  };

  return {
    root: files.root,

    async readBytes(given, options = {}) {
      const artifact = await artifactAt(given);
      if (!artifact) return files.readBytes(given, options);
      const { maxBytes = maxFileBytes } = options;
      if (artifact.bytes > maxBytes) throw tooLarge(given, artifact.bytes, maxBytes);
      const chunks: Uint8Array[] = [];
      for await (const chunk of artifact.chunks()) chunks.push(chunk);
      return Buffer.concat(chunks);
    },

    async *readChunks(given, options = {}) {
      const artifact = await artifactAt(given);
      if (!artifact) {
        yield* files.readChunks(given, options);
        return;
      }
      let skipped = options.start ?? 0;
      for await (const chunk of artifact.chunks()) {
        const rest = chunk.subarray(skipped);
        skipped = Math.max(0, skipped - chunk.byteLength);
        if (rest.byteLength > 0) yield rest;
      }
    },

    async stat(given) {
      const artifact = await artifactAt(given);
      if (!artifact) return files.stat(given);
      const { id, name, bytes, createdAt } = artifact;
      return { kind: "file", bytes, modifiedAt: createdAt, path: given, name: plainName(name), version: `artifact ${id}` };
    },

    searchLines: (query) => searched(query, (folder, inside) => folder.searchLines(inside)),
    searchFiles: (query) => searched(query, (folder, inside) => folder.searchFiles(inside)),
    searchNames: (query) => searched(query, (folder, inside) => folder.searchNames(inside)),

    async findUnsearched(query) {
      const artifact = await artifactAt(query.path);
      if (!artifact) return files.findUnsearched(query);
      const found = await inFolder(query, artifact, (folder, inside) => folder.findUnsearched(inside));
      return { ...found, unread: found.unread.map(() => query.path) };
    },

    async writeBytes(given, bytes, options) {
      assertNoArtifact(given);
      return files.writeBytes(given, bytes, options);
    },

    async writeChunks(given, chunks, options) {
      assertNoArtifact(given);
      return files.writeChunks(given, chunks, options);
    },

    async changeFiles(changes) {
      for (const change of changes) assertNoArtifact(change.path);
      return files.changeFiles(changes);
    },
  };
}

type Search<T> = (files: FilesCapability, query: SearchQuery) => Promise<T>;

/** Makes a name of a file out of the name of an artifact, which may be anything. */
function plainName(name: string): string {
  const plain = name.replaceAll(/[/\\\p{Cc}]/gu, "_").replace(/^[.-]+/, "");
  return Buffer.byteLength(plain) > 200 ? `artifact${path.extname(plain).slice(0, 20)}` : plain || "artifact";
}

function assertNoArtifact(given: string): void {
  if (artifactIdOf(given) !== null) throw new AppError("invalid", `${given} ${artifactsAreRead}`);
}
