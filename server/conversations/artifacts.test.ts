import { expect, test } from "vitest";
import { artifacts } from "@/db/schema";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, buildAgent, buildApiKey, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { readArtifact } from "./artifacts";

useTestDatabase();

const notFound = expect.objectContaining({ code: "not_found" });

async function storedArtifact() {
  const built = await buildWorkspace();
  const conversation = await buildConversation(built.agentKey);
  const { sha256, bytes } = await blobs().put(Buffer.from("the whole result"));
  const [artifact] = await db()
    .insert(artifacts)
    .values({
      workspaceId: built.workspace.id,
      conversationId: conversation.id,
      callId: newId(),
      name: "report 報告.txt",
      mediaType: "text/plain; charset=utf-8",
      bytes,
      sha256,
    })
    .returning();
  if (!artifact) throw new Error("The artifact was not inserted");
  return { ...built, artifact };
}

test("bytes that a call produced can be fetched by the key that made them and by people of the workspace", async () => {
  const { artifact, agentKey, viewer } = await storedArtifact();
  expect(artifact).toMatchObject({ name: "report 報告.txt", bytes: 16 });
  for (const actor of [agentKey, viewer]) {
    const read = await readArtifact(authorize(actor, "turns:read"), artifact.id);
    expect(await new Response(read.stream).text()).toBe("the whole result");
  }
});

test("for another workspace, and for another agent's key, it does not exist", async () => {
  const { artifact, workspace } = await storedArtifact();
  const stranger = await buildWorkspace();
  const otherAgent = await buildAgent(workspace.id);
  const otherKey = await buildApiKey(workspace.id, { agentId: otherAgent.id });
  for (const actor of [stranger.admin, otherKey]) {
    await expect(readArtifact(authorize(actor, "turns:read"), artifact.id)).rejects.toEqual(notFound);
  }
});

test("an id that nothing has is not found", async () => {
  const { viewer } = await storedArtifact();
  await expect(readArtifact(authorize(viewer, "turns:read"), newId())).rejects.toEqual(notFound);
});
