import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { artifacts } from "@/db/schema";
import { requirePermission } from "@/server/auth/actor";
import { readArtifact } from "@/server/conversations/artifacts";
import { db } from "@/server/platform/database/database";
import { calling, giveModel, saying, start, useRunStage } from "@/server/testing/models/run-stage";
import { onePixel } from "@/server/testing/services/media-server";
import { updateTool } from "@/server/tools/admin/update-tool";
import { providerTools } from "@/server/tools/provider/provider-tools";
import { syncTools } from "@/server/tools/sync-tools";
import { messagesFrom } from "../read/load-run";

const stage = useRunStage();
const image = onePixel.toString("base64");

beforeEach(async () => {
  const workspaceId = stage.built.workspace.id;
  await db().transaction((tx) => syncTools(tx, { workspaceId, mcpServerId: null }, providerTools));
  await updateTool(requirePermission(stage.built.admin, "tools:write"), "provider_image_generation", { enabled: true }, null);
});

test("an image by the provider's own generator is kept with the conversation, and shown in the run's message", async () => {
  const server = await giveModel(stage, [{ images: [image], text: ["A cat."] }, saying("Again.")], { kind: "openai_responses" });
  const run = await start(stage, "Draw a cat");
  expect(run).toMatchObject({ status: "succeeded", answer: "A cat." });
  expect(server.requests[0]?.body.tools).toContainEqual({ type: "image_generation" });
  const [kept] = await db().select().from(artifacts).where(eq(artifacts.conversationId, stage.conversationId));
  expect(kept).toMatchObject({ name: "reply-1.png", mediaType: "image/png", bytes: onePixel.byteLength });
  const [, reply] = await messagesFrom(run.id, 0);
  expect(reply).toMatchObject({
    role: "assistant",
    text: "A cat.",
    files: [{ artifactId: kept?.id, mediaType: "image/png", bytes: onePixel.byteLength }],
  });
  const { stream } = await readArtifact(requirePermission(stage.built.agentKey, "turns:read"), kept?.id ?? "");
  expect(Buffer.from(await new Response(stream).bytes()).equals(onePixel)).toBe(true);
  await start(stage, "Which one was it?");
  expect(JSON.stringify(server.requests[1]?.body.input)).toContain(`[You made artifact:${kept?.id} (image/png), which the user sees.]`);
});

test("an answer that is only an image is an answer", async () => {
  await giveModel(stage, [{ images: [image] }], { kind: "openai_responses" });
  expect(await start(stage, "Draw")).toMatchObject({ status: "succeeded", answer: "", error: null });
});

test("a model that calls a provider's tool as a function is told who runs it", async () => {
  const server = await giveModel(stage, [calling(["image_gen", {}]), saying("Sorry.")]);
  expect(await start(stage, "Draw")).toMatchObject({ status: "succeeded" });
  expect(JSON.stringify(server.requests[0]?.body)).not.toContain("image_generation");
  expect(JSON.stringify(server.requests[1]?.body)).toContain(
    "Tool 'provider_image_generation' is provider-native and must be handled by the LLM provider, not the tool runner.",
  );
});
