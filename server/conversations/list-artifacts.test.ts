import { expect, test } from "vitest";
import { artifacts } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, buildAgent, buildApiKey, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { listArtifacts } from "./list-artifacts";

useTestDatabase();

test("artifacts are listed newest first, by kind, name and conversation, to those who may see them", async () => {
  const built = await buildWorkspace();
  const [first, second] = [await buildConversation(built.agentKey), await buildConversation(built.agentKey)];
  const add = (conversationId: string, name: string, mediaType: string) =>
    db()
      .insert(artifacts)
      .values({ workspaceId: built.workspace.id, conversationId, callId: newId(), name, mediaType, bytes: 3, sha256: "0".repeat(64) });
  await add(first.id, "log_1.txt", "text/plain; charset=utf-8");
  await add(first.id, "plot.png", "image/png");
  await add(second.id, "data.json", "application/json");
  await add(second.id, "book.pdf", "application/pdf");
  const reader = authorize(built.viewer, "turns:read");
  const names = async (filter: Parameters<typeof listArtifacts>[1]) => (await listArtifacts(reader, filter)).items.map(({ name }) => name);

  expect(await names({})).toEqual(["book.pdf", "data.json", "plot.png", "log_1.txt"]);
  expect(await names({ kind: "text" })).toEqual(["data.json", "log_1.txt"]);
  expect(await names({ kind: "image" })).toEqual(["plot.png"]);
  expect(await names({ kind: "other" })).toEqual(["book.pdf"]);
  expect(await names({ conversationId: first.id, query: "LOG_" })).toEqual(["log_1.txt"]);
  expect(await names({ query: "log%" })).toEqual([]);
  const page = await listArtifacts(reader, { limit: 3 });
  expect(await names({ cursor: page.nextCursor ?? "" })).toEqual(["log_1.txt"]);

  const other = await buildAgent(built.workspace.id);
  const bound = authorize(await buildApiKey(built.workspace.id, { agentId: other.id, scopes: ["turns:read"] }), "turns:read");
  expect((await listArtifacts(bound, {})).items).toEqual([]);
  expect((await listArtifacts(authorize((await buildWorkspace()).viewer, "turns:read"), {})).items).toEqual([]);
});
