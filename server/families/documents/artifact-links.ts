import "server-only";
import { randomBytes } from "node:crypto";
import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import type { ArtifactLink } from "@/contracts/turns/artifacts";
import { artifactLinks, artifacts } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { type ArtifactContent, findArtifact, openArtifact } from "@/server/conversations/artifacts";
import { sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { AppError } from "@/server/platform/errors";

/** The address is 256 random bits, because it is the only credential of a download. */
const newToken = (): string => randomBytes(32).toString("base64url");
const tokenForm = /^[\w-]{43}$/;

/** Creates an address that downloads an artifact once, within 15 minutes, without credentials. */
export async function createArtifactLink(actor: Authorized<"turns:read">, artifactId: string): Promise<ArtifactLink> {
  const { id, workspaceId, conversationId, callId, name } = await findArtifact(actor, artifactId);
  const token = newToken();
  const createdBy = toActorRef(actor);
  return db().transaction(async (tx) => {
    const [link] = await tx
      .insert(artifactLinks)
      .values({ workspaceId, artifactId: id, tokenHash: sha256(token), createdBy, expiresAt: sql`now() + interval '15 minutes'` })
      .returning({ id: artifactLinks.id, expiresAt: artifactLinks.expiresAt });
    if (!link) throw new Error("The link was not inserted");
    const data = { linkId: link.id, name };
    await record(tx, { workspaceId, event: "artifact.link_created", actor: createdBy, subject: id, conversationId, callId, data });
    return { url: `${env().publicUrl}/api/v1/artifacts/links/${token}`, expiresAt: link.expiresAt.toISOString() };
  });
}

/**
 * Spends a link and returns its artifact. The download is recorded in the name of the link's creator, because nobody
 * signs in for it. @throws AppError `not_found` for a link that is unknown, spent or expired, without telling which
 */
export async function openArtifactLink(token: string): Promise<ArtifactContent> {
  const artifact = tokenForm.test(token) ? await spendLink(sha256(token)) : null;
  if (!artifact) throw new AppError("not_found", "This link was used or has expired. Create a new one.");
  return openArtifact(artifact);
}

async function spendLink(tokenHash: string): Promise<ArtifactContent["artifact"] | null> {
  return db().transaction(async (tx) => {
    // One statement claims the link, so that of two downloads at once one finds it spent.
    const [link] = await tx
      .update(artifactLinks)
      .set({ usedAt: sql`now()` })
      .where(and(eq(artifactLinks.tokenHash, tokenHash), isNull(artifactLinks.usedAt), gt(artifactLinks.expiresAt, sql`now()`)))
      .returning();
    const [artifact] = link ? await tx.select().from(artifacts).where(eq(artifacts.id, link.artifactId)) : [];
    if (!link || !artifact) return null;
    const { workspaceId, conversationId, callId, name } = artifact;
    const data = { linkId: link.id, name };
    await record(tx, {
      workspaceId,
      event: "artifact.link_opened",
      actor: link.createdBy,
      subject: artifact.id,
      conversationId,
      callId,
      data,
    });
    return artifact;
  });
}

/** Deletes links that expired more than a day ago. */
export async function removeOldArtifactLinks(): Promise<void> {
  await db().delete(artifactLinks).where(lt(artifactLinks.expiresAt, sql`now() - interval '1 day'`));
}
