import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { artifactLinks, artifacts, auditEvents } from "@/db/schema";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { createArtifactLink, openArtifactLink, removeOldArtifactLinks } from "./artifact-links";

useTestDatabase();

const notFound = expect.objectContaining({ code: "not_found" });

async function linkedArtifact() {
  const built = await buildWorkspace();
  const conversation = await buildConversation(built.agentKey);
  const blob = await blobs().put(Buffer.from("the report"));
  const values = {
    workspaceId: built.workspace.id,
    conversationId: conversation.id,
    callId: newId(),
    name: "report.pdf",
    mediaType: "application/pdf",
  };
  const [artifact] = await db()
    .insert(artifacts)
    .values({ ...values, ...blob })
    .returning();
  if (!artifact) throw new Error("The artifact was not inserted");
  const { url } = await createArtifactLink(authorize(built.viewer, "turns:read"), artifact.id);
  return { ...built, artifact, url, token: url.slice(url.lastIndexOf("/") + 1) };
}

const linkOf = async (artifactId: string) => (await db().select().from(artifactLinks).where(eq(artifactLinks.artifactId, artifactId)))[0];

test("a link downloads its artifact once, and both its creation and its use are recorded", async () => {
  const { artifact, token, viewer, workspace } = await linkedArtifact();
  const [one, other] = await Promise.allSettled([openArtifactLink(token), openArtifactLink(token)]);
  const opened = [one, other].filter((result) => result.status === "fulfilled");
  expect(opened).toHaveLength(1);
  const content = opened[0]?.value;
  expect(content?.artifact.id).toBe(artifact.id);
  expect(await new Response(content?.stream).text()).toBe("the report");
  await expect(openArtifactLink(token)).rejects.toEqual(notFound);
  const recorded = await db().select().from(auditEvents).where(eq(auditEvents.workspaceId, workspace.id));
  const ofLink = recorded.filter(({ event }) => event.startsWith("artifact."));
  expect(ofLink.map(({ event, actorId, subject }) => ({ event, actorId, subject }))).toEqual([
    { event: "artifact.link_created", actorId: viewer.id, subject: artifact.id },
    { event: "artifact.link_opened", actorId: viewer.id, subject: artifact.id },
  ]);
});

test("the database holds no token, and an expired link is refused and later removed", async () => {
  const { artifact, token } = await linkedArtifact();
  expect(JSON.stringify(await linkOf(artifact.id))).not.toContain(token);
  await db().update(artifactLinks).set({ expiresAt: sql`now() - interval '1 second'` });
  await expect(openArtifactLink(token)).rejects.toEqual(notFound);
  await removeOldArtifactLinks();
  expect(await linkOf(artifact.id)).toBeDefined();
  await db().update(artifactLinks).set({ expiresAt: sql`now() - interval '25 hours'` });
  await removeOldArtifactLinks();
  expect(await linkOf(artifact.id)).toBeUndefined();
});

test("nobody creates a link to another workspace's artifact, and other tokens open nothing", async () => {
  const { artifact } = await linkedArtifact();
  const stranger = await buildWorkspace();
  await expect(createArtifactLink(authorize(stranger.admin, "turns:read"), artifact.id)).rejects.toEqual(notFound);
  for (const token of ["", "x", "a".repeat(43), `${"a".repeat(42)}'`]) await expect(openArtifactLink(token)).rejects.toEqual(notFound);
});
