import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { type MediaProviderDraft, MediaSettingsPatch, mediaProviderIds } from "@/contracts/models/media";
import { auditEvents, mediaSettings } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { authorize, type BuiltWorkspace, buildWorkspace } from "@/server/testing/builders";
import { mediaServer } from "@/server/testing/services/media-server";
import { useTestDatabase } from "@/server/testing/test-database";
import { tryMedia } from "../try-media";
import { mediaCheck } from "./media-check";
import { getMediaSettings, updateMediaSettings } from "./media-settings";

useTestDatabase();

const neverAborted = new AbortController().signal;
const admin = (built: BuiltWorkspace) => authorize(built.admin, "tools:write");

/** Changes one provider; the others stay. */
const change = (built: BuiltWorkspace, draft: MediaProviderDraft, version: number | null = null) =>
  updateMediaSettings(admin(built), MediaSettingsPatch.parse({ providers: [draft] }), version);

test("a key is stored sealed, never answered, and in no audit event", async () => {
  const built = await buildWorkspace();
  const saved = await change(built, { id: "openai", key: "sk-of-the-studio", models: { image: "gpt-image-1-mini" } }, 0);
  expect(saved.providers[0]).toMatchObject({
    id: "openai",
    hasKey: true,
    status: "ready",
    models: { image: "gpt-image-1-mini", video: null },
  });
  expect(saved.unavailableReasons.image).toBeNull();
  expect(saved.unavailableReasons.video).toBe(
    "No provider of videos is ready. An admin can add a key of Google Gemini, fal, MiniMax in Settings, Media.",
  );
  expect(JSON.stringify(saved)).not.toContain("studio");
  const [row] = await db().select().from(mediaSettings).where(eq(mediaSettings.workspaceId, built.workspace.id));
  expect(JSON.stringify(row)).not.toContain("studio");
  const audit = await db().select().from(auditEvents).where(eq(auditEvents.event, "media_settings.updated"));
  expect(audit.at(-1)?.data).toMatchObject({ newKeys: ["openai"] });
  expect(JSON.stringify(audit)).not.toContain("studio");
});

test("a stored key never follows a changed address, and stale changes are refused", async () => {
  const built = await buildWorkspace();
  await change(built, { id: "fal", key: "key-1" });
  await expect(change(built, { id: "fal", address: "https://thief.example" })).rejects.toMatchObject({
    code: "invalid",
    details: {
      errors: [
        {
          path: "providers.0.key",
          message: expect.stringContaining("is needed again, because the stored one belongs to https://queue.fal.run"),
        },
      ],
    },
  });
  await expect(change(built, { id: "fal", enabled: false }, 0)).rejects.toMatchObject({ code: "stale_version" });
  expect((await change(built, { id: "fal", enabled: false }, 1)).providers[2]?.status).toBe("off");
});

test("drafts of all providers set their order, and one draft keeps it", async () => {
  const built = await buildWorkspace();
  const reversed = mediaProviderIds.toReversed();
  await updateMediaSettings(admin(built), MediaSettingsPatch.parse({ providers: reversed.map((id) => ({ id })) }), null);
  const { providers } = await change(built, { id: "fal", enabled: false });
  expect(providers.map(({ id }) => id)).toEqual(reversed);
  expect(providers.filter(({ status }) => status === "off").map(({ id }) => id)).toEqual(["fal"]);
});

test("a model is refused for a kind that its provider does not make, and for an analysis that no provider offers", async () => {
  const built = await buildWorkspace();
  await expect(change(built, { id: "meshy", models: { image: "x" } })).rejects.toThrow(
    "providers.0.models.image Meshy makes no such thing",
  );
  const analysisModel = { providerId: built.workspace.id, model: "none" };
  await expect(updateMediaSettings(admin(built), { analysisModel }, null)).rejects.toThrow("none is not a model of a registered provider");
  expect(MediaSettingsPatch.safeParse({ providers: [{ id: "openai" }, { id: "openai" }] }).success).toBe(false);
  expect(
    MediaSettingsPatch.safeParse({ providers: mediaProviderIds.map((id) => ({ id, models: { image: "../../files" } })) }).success,
  ).toBe(false);
});

test("a key is tried without making anything", async () => {
  const built = await buildWorkspace();
  await expect(tryMedia(admin(built), { provider: "meshy" }, neverAborted)).rejects.toThrow("Meshy needs a key.");
  const server = await mediaServer();
  await change(built, { id: "meshy", address: server.address("meshy"), key: "key-1" });
  expect(await tryMedia(admin(built), { provider: "meshy" }, neverAborted)).toMatchObject({
    succeeded: true,
    sentence: "Meshy accepts the key.",
  });
  await change(built, { id: "meshy", key: "key-2" });
  expect(await tryMedia(admin(built), { provider: "meshy" }, neverAborted)).toMatchObject({
    succeeded: false,
    sentence: expect.stringContaining("Meshy refuses the key. Enter a valid key in Settings, Media."),
  });
  expect(server.paid()).toEqual([]);
});

test("the doctor names the providers that are asked, and a key that cannot be opened", async () => {
  const built = await buildWorkspace();
  const told = async () => (await mediaCheck.run(built.workspace.id))[0];
  expect(await told()).toMatchObject({ status: "ok", sentence: "No media provider has a key, so agents make no images or videos." });
  await change(built, { id: "minimax", key: "key-1" });
  expect(await told()).toMatchObject({ status: "ok", sentence: "Agents can make images by MiniMax, videos by MiniMax, music by MiniMax." });
  const providers = (await db().select().from(mediaSettings).where(eq(mediaSettings.workspaceId, built.workspace.id)))[0]?.providers ?? [];
  await db()
    .update(mediaSettings)
    .set({ providers: providers.map((provider) => ({ ...provider, key: provider.key && "sealed with another key" })) })
    .where(eq(mediaSettings.workspaceId, built.workspace.id));
  expect(await told()).toMatchObject({ status: "failed", wayOut: "Type the key again in Settings, Media." });
  expect((await getMediaSettings(authorize(built.viewer, "tools:read"))).providers[3]?.status).toBe("key_unreadable");
});
