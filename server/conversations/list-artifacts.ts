import "server-only";
import { and, desc, eq, ilike, lt, type SQL, sql } from "drizzle-orm";
import type { Artifact, ArtifactFilter } from "@/contracts/turns/artifacts";
import { artifacts, conversations, toolCalls } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { containsPattern } from "@/server/platform/database/like-pattern";

const isImage = ilike(artifacts.mediaType, "image/%");
const isText = sql<boolean>`(${ilike(artifacts.mediaType, "text/%")} or ${ilike(artifacts.mediaType, "application/json%")})`;
const ofKind: Record<NonNullable<ArtifactFilter["kind"]>, SQL> = {
  image: isImage,
  text: isText,
  other: sql`not (${isImage} or ${isText})`,
};

/** Lists the artifacts that the actor may see, newest first. */
export async function listArtifacts(
  actor: Authorized<"turns:read">,
  { limit = 50, cursor, conversationId, kind, query }: ArtifactFilter & { limit?: number; cursor?: string },
): Promise<{ items: Artifact[]; nextCursor: string | null }> {
  const found = await db()
    .select({ artifact: artifacts, turnId: toolCalls.turnId, tool: toolCalls.name })
    .from(artifacts)
    .innerJoin(conversations, eq(artifacts.conversationId, conversations.id))
    .leftJoin(toolCalls, eq(artifacts.callId, toolCalls.id))
    .where(
      and(
        eq(artifacts.workspaceId, actor.workspaceId),
        actor.agentId ? eq(conversations.agentId, actor.agentId) : undefined,
        conversationId ? eq(artifacts.conversationId, conversationId) : undefined,
        kind && ofKind[kind],
        query ? ilike(artifacts.name, containsPattern(query)) : undefined,
        cursor ? lt(artifacts.id, decodeCursor(cursor, IdCursor)[0]) : undefined,
      ),
    )
    .orderBy(desc(artifacts.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ artifact }) => [artifact.id]);
  return {
    items: rows.map(({ artifact: { id, name, mediaType, bytes, conversationId, createdAt }, turnId, tool }) => ({
      ...{ id, name, mediaType, bytes, conversationId, turnId, tool },
      createdAt: createdAt.toISOString(),
    })),
    nextCursor,
  };
}
