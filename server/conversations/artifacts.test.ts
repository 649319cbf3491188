import { expect, test } from "vitest";
import { db } from "@/server/platform/database";
import { newId } from "@/server/platform/ids";
import { buildAgent, buildApiKey, buildConversation, buildWorkspace, holding } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { readArtifact, storeArtifact } from "./artifacts";

useTestDatabase();

const notFound = expect.objectContaining({ code: "not_found" });

async function storedArtifact() {
  const built = await buildWorkspace();
  const conversation = await buildConversation(built.agentKey);
  const artifact = await storeArtifact(db(), {
    workspaceId: built.workspace.id,
    conversationId: conversation.id,
    callId: newId(),
    name: "report 報告.txt",
    mediaType: "text/plain; charset=utf-8",
    bytes: Buffer.from("the whole result"),
  });
  return { ...built, artifact };
}

test("bytes that a call produced can be fetched by the key that made them and by people of the workspace", async () => {
  const { artifact, agentKey, viewer } = await storedArtifact();
  expect(artifact).toMatchObject({ name: "report 報告.txt", bytes: 16 });
  for (const actor of [agentKey, viewer]) {
    const read = await readArtifact(holding(actor, "turns:read"), artifact.id);
    expect(await new Response(read.stream).text()).toBe("the whole result");
  }
});

test("for another workspace, and for another agent's key, it does not exist", async () => {
  const { artifact, workspace } = await storedArtifact();
  const stranger = await buildWorkspace();
  const otherAgent = await buildAgent(workspace.id);
  const otherKey = await buildApiKey(workspace.id, { agentId: otherAgent.id });
  for (const actor of [stranger.admin, otherKey]) {
    await expect(readArtifact(holding(actor, "turns:read"), artifact.id)).rejects.toEqual(notFound);
  }
});

test("an id that nothing has is not found", async () => {
  const { viewer } = await storedArtifact();
  await expect(readArtifact(holding(viewer, "turns:read"), newId())).rejects.toEqual(notFound);
});

test("an artifact of a transaction that fails was never there", async () => {
  const { artifact, viewer } = await storedArtifact();
  let lost = "";
  const attempt = db().transaction(async (tx) => {
    const { id, createdAt, ...copy } = artifact;
    lost = (await storeArtifact(tx, { ...copy, bytes: Buffer.from("never") })).id;
    throw new Error("something else failed");
  });
  await expect(attempt).rejects.toThrow("something else failed");
  await expect(readArtifact(holding(viewer, "turns:read"), lost)).rejects.toEqual(notFound);
});
