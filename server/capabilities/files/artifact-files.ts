import { AppError } from "@/server/platform/errors";
import type { FilesCapability } from "./files";
import { artifactIdOf, artifactsAreRead } from "./path-argument";
import { readingVirtualFiles } from "./virtual-files";

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
  return {
    ...readingVirtualFiles(files, async (given) => {
      const id = artifactIdOf(given);
      if (id === null) return null;
      const { createdAt, ...artifact } = await open(id);
      return { ...artifact, modifiedAt: createdAt, version: `artifact ${artifact.id}` };
    }),

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

function assertNoArtifact(given: string): void {
  if (artifactIdOf(given) !== null) throw new AppError("invalid", `${given} ${artifactsAreRead}`);
}
