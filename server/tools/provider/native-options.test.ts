import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { NativeToolOptions, NativeToolOptionsPatch } from "@/contracts/tools/native-tool-options";
import { auditEvents } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { authorize, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { updateTool } from "../admin/update-tool";
import { listConversationTools } from "../list-conversation-tools";
import { syncTools } from "../sync-tools";
import { getNativeOptions, replaceNativeOptions, updateNativeOptions } from "./native-options";
import { providerTools } from "./provider-tools";

useTestDatabase();

async function build() {
  const built = await buildWorkspace();
  await db().transaction((tx) => syncTools(tx, { workspaceId: built.workspace.id, mcpServerId: null }, providerTools));
  const admin = authorize(built.admin, "tools:write");
  const patch = (value: object, version: number | null = null) => updateNativeOptions(admin, NativeToolOptionsPatch.parse(value), version);
  return { built, admin, patch };
}

test("options are merged: null removes one, and an empty object removes all of a tool", async () => {
  const { built, patch } = await build();
  await patch({ provider_image_generation: { quality: "high", size: "512x512" }, provider_web_search: { max_uses: 2 } });
  const second = await patch({ provider_image_generation: { size: null, output_format: "webp" } });
  expect(second).toMatchObject({
    options: { provider_image_generation: { quality: "high", output_format: "webp" }, provider_web_search: { max_uses: 2 } },
    version: 2,
  });
  expect((await patch({ provider_image_generation: {} })).options).toEqual({
    provider_image_generation: {},
    provider_web_search: { max_uses: 2 },
  });
  expect((await getNativeOptions(authorize(built.viewer, "tools:read"))).version).toBe(3);
  const audit = await db().select().from(auditEvents).where(eq(auditEvents.workspaceId, built.workspace.id));
  expect(audit.filter(({ event }) => event === "native_tool_options.updated")).toHaveLength(3);
});

test("a replacement drops what it leaves out, and a stale one is refused", async () => {
  const { admin, patch } = await build();
  await patch({ provider_web_search: { max_uses: 2 } });
  const replaced = await replaceNativeOptions(admin, NativeToolOptions.parse({ provider_image_generation: { action: "edit" } }), 1);
  expect(replaced.options).toEqual({ provider_image_generation: { action: "edit" }, provider_web_search: {} });
  await expect(patch({}, 1)).rejects.toMatchObject({ code: "stale_version" });
});

test.each([
  [{ provider_image_generation: { size: "32x1024" } }, "sides of 64 to 4096 pixels"],
  [{ provider_image_generation: { size: "5000x5000" } }, "sides of 64 to 4096 pixels"],
  [{ provider_image_generation: { size: "large" } }, "must be auto, or width x height"],
  [{ provider_image_generation: { output_format: "gif" } }, "output_format"],
  [{ provider_image_generation: { prompt: "x" } }, "prompt"],
  [{ provider_web_search: { max_uses: 0 } }, "must be 1 to 20"],
  [{ web_search: {} }, "web_search"],
])("the options %j are refused with %s", (options, words) => {
  const parsed = NativeToolOptionsPatch.safeParse(options);
  expect(parsed.success).toBe(false);
  expect(JSON.stringify(parsed.error?.issues)).toContain(words);
});

test("options that do not fit together are refused with the member's name", async () => {
  const { patch } = await build();
  await patch({ provider_image_generation: { background: "transparent" } });
  await expect(patch({ provider_image_generation: { output_format: "jpeg" } })).rejects.toMatchObject({
    code: "invalid",
    details: { errors: [{ path: "provider_image_generation.background", message: expect.stringContaining("choose png or webp") }] },
  });
});

test("foreign runtimes read the options in their provider's own form from the next listing on", async () => {
  const { built, admin, patch } = await build();
  const { id } = await buildConversation(built.agentKey);
  for (const name of ["provider_image_generation", "provider_web_search"]) await updateTool(admin, name, { enabled: true }, null);
  const listed = async (format: "openai-responses" | "anthropic") =>
    (await listConversationTools(authorize(built.agentKey, "tools:read"), id, format)).tools;
  expect(await listed("openai-responses")).toContainEqual({ type: "image_generation" });
  await patch({ provider_image_generation: { size: "1024x1024", quality: "low" }, provider_web_search: { max_uses: 4 } });
  expect(await listed("openai-responses")).toContainEqual({ type: "image_generation", size: "1024x1024", quality: "low" });
  expect(await listed("anthropic")).toContainEqual({ type: "web_search_20250305", name: "web_search", max_uses: 4 });
});
