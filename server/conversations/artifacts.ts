import "server-only";
import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { conversations, artifacts as table } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { defineCapability } from "@/server/capabilities/define-capability";
import type { OpenArtifact } from "@/server/capabilities/files/artifact-files";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { maySee } from "./find-conversation";

export type Artifact = typeof table.$inferSelect;

/** Returns an artifact to an actor who may see its conversation. @throws AppError `not_found`. */
export async function findArtifact(actor: Authorized<"turns:read">, artifactId: string): Promise<Artifact> {
  const [row] = await db()
    .select({ artifact: table, agentId: conversations.agentId })
    .from(table)
    .innerJoin(conversations, eq(table.conversationId, conversations.id))
    .where(and(eq(table.id, artifactId), eq(table.workspaceId, actor.workspaceId)));
  if (!row || !maySee(actor, row))
    throw new AppError("not_found", "This artifact does not exist, or belongs to another agent's conversation.");
  return row.artifact;
}

export type ArtifactContent = { artifact: Artifact; stream: ReadableStream<Uint8Array> };

/** Returns an artifact with its bytes to an actor who may see its conversation. @throws AppError `not_found`. */
export async function readArtifact(actor: Authorized<"turns:read">, artifactId: string): Promise<ArtifactContent> {
  return openArtifact(await findArtifact(actor, artifactId));
}

/** Opens the bytes of an artifact for a caller whose access was checked. */
export async function openArtifact(artifact: Artifact): Promise<ArtifactContent> {
  return { artifact, stream: (await blobs().read(artifact.sha256)).stream };
}

/** The artifacts of one conversation. */
export type ArtifactsCapability = {
  /** @throws AppError `not_found` for an artifact that this conversation does not have. */
  open: OpenArtifact;
};

export const artifacts = defineCapability({
  name: "artifacts",
  title: "Artifacts of the conversation",
  isOfConversation: true,
  create: ({ openArtifact }): ArtifactsCapability => ({ open: openArtifact }),
});

/** Returns a function that opens the artifacts of one conversation, and no others. */
export function artifactOpener({ workspaceId, id: conversationId }: { workspaceId: string; id: string }): OpenArtifact {
  return async (asked) => {
    const artifactId = z.uuid().safeParse(asked.trim());
    const [artifact] = artifactId.success
      ? await db()
          .select()
          .from(table)
          .where(and(eq(table.workspaceId, workspaceId), eq(table.conversationId, conversationId), eq(table.id, artifactId.data)))
      : [];
    if (!artifact) {
      throw new AppError("not_found", `There is no artifact ${asked} in this conversation. Send an id that one of its results names.`);
    }
    const { id, name, mediaType, bytes, createdAt, sha256 } = artifact;
    const chunks = async function* () {
      yield* (await blobs().read(sha256)).stream;
    };
    return { id, name, mediaType, bytes, createdAt, chunks };
  };
}
