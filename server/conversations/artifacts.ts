import "server-only";
import { and, eq } from "drizzle-orm";
import { artifacts, conversations } from "@/db/schema";
import type { Holder } from "@/server/auth/actor";
import { blobs } from "@/server/capabilities/blobs";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { maySee } from "./find-conversation";

export type Artifact = typeof artifacts.$inferSelect;

/** An artifact with its bytes, for those who may see its conversation. @throws AppError `not_found`. */
export async function readArtifact(
  actor: Holder<"turns:read">,
  artifactId: string,
): Promise<{ artifact: Artifact; stream: ReadableStream<Uint8Array> }> {
  const [row] = await db()
    .select({ artifact: artifacts, agentId: conversations.agentId })
    .from(artifacts)
    .innerJoin(conversations, eq(artifacts.conversationId, conversations.id))
    .where(and(eq(artifacts.id, artifactId), eq(artifacts.workspaceId, actor.workspaceId)));
  if (!row || !maySee(actor, row))
    throw new AppError("not_found", "This artifact does not exist, or belongs to another agent's conversation.");
  return { artifact: row.artifact, stream: (await blobs().read(row.artifact.sha256)).stream };
}
