import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { mediaEndpoints, mediaProviderIds } from "@/contracts/models/media";
import { nativeToolOptionsEndpoints } from "@/contracts/tools/native-tool-options";
import { toolEndpoints } from "@/contracts/tools/tools";
import { askBefore, expect, test } from "../fixtures";
import { startMediaProvider } from "../media-provider";
import { checkPage, fits, open } from "./check-page";
import { submitTurn, waitForEnd } from "./submit-requests";

askBefore("image_generate", "music_generate");

test("an admin sets up a provider, a person allows an image, and the turn shows it", async ({ consolePage: page, api }) => {
  const provider = await startMediaProvider("e2e-media-key");
  await open(page, "/settings/media");
  const list = page.getByRole("list", { name: "Media providers" });
  await checkPage(page, "the media settings");
  for (const [title, key] of [
    ["OpenAI", "e2e-wrong-key"],
    ["MiniMax", "e2e-media-key"],
  ] as const) {
    await list.getByRole("button", { name: `Set up ${title}` }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("API key", { exact: true }).fill(key);
    await dialog.getByLabel("Address").fill(provider.url);
    if (title === "OpenAI") {
      await dialog.getByLabel("Model for images").fill("../files");
      await dialog.getByRole("button", { name: "Save" }).click();
      await expect(dialog.getByText(/is no model name/)).toBeVisible();
      await dialog.getByLabel("Model for images").fill("gpt-image-1-mini");
      // The suggestions close when the field is left.
      await dialog.getByLabel("Address").focus();
      await expect(page.getByRole("listbox")).toBeHidden();
      await checkPage(page, "the form of a media provider");
    }
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(`${title} is saved`)).toBeVisible();
  }
  const openai = list.getByRole("listitem").filter({ hasText: "OpenAI" });
  await openai.getByRole("button", { name: "Test OpenAI" }).click();
  await expect(openai.getByRole("status")).toContainText("OpenAI refuses the key.");
  await list.getByRole("button", { name: "Set up OpenAI" }).click();
  await page.getByRole("dialog").getByLabel("API key", { exact: true }).fill("e2e-media-key");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await openai.getByRole("button", { name: "Test OpenAI" }).click();
  await expect(openai.getByRole("status")).toContainText("OpenAI accepts the key.");
  await page.emulateMedia({ colorScheme: "dark" });
  await checkPage(page, "the media settings in the dark");
  await page.emulateMedia({ colorScheme: "light" });

  for (const id of ["image_generate", "music_generate"]) {
    await api.admin.call(toolEndpoints.setTier, { params: { id }, body: { tier: "core" } });
  }
  const decide = async (approvalId: string | null | undefined) =>
    api.approver.call(approvalEndpoints.decide, { params: { id: approvalId ?? "" }, body: { decision: "approve", comment: "" } });
  const turn = await submitTurn(api.agent, [{ name: "generate_image", arguments: { text: "a handrail of oak" } }]);
  expect(provider.asked.filter((line) => line.startsWith("POST"))).toEqual([]);
  await decide(turn.calls[0]?.approvalId);
  await waitForEnd(api.agent, turn.id);
  await open(page, `/turns/${turn.id}`);
  const step = page.getByRole("article");
  await expect(step.getByText(/Made 1 image with OpenAI \(gpt-image-1-mini\)/)).toBeVisible();
  await expect(step.getByRole("img", { name: "Returned by image_generate, 1 by 1 pixels" })).toBeVisible();
  await fits(page, "a turn with an image");

  const song = await submitTurn(api.agent, [{ name: "music_generate", arguments: { prompt: "oak", instrumental: true } }]);
  await decide(song.calls[0]?.approvalId);
  await open(page, `/turns/${song.id}`);
  await page.getByRole("button", { name: "Play the audio" }).click();
  await expect(page.locator("audio")).toHaveJSProperty("error", null);
  await expect.poll(() => page.locator("audio").evaluate((audio: HTMLAudioElement) => audio.duration)).toBeGreaterThan(0);
  await checkPage(page, "a turn with a background job that made music");
  expect(provider.asked.filter((line) => line.startsWith("POST"))).toEqual(["POST /images/generations", "POST /music_generation"]);

  await api.admin.call(mediaEndpoints.update, {
    body: { providers: mediaProviderIds.map((id) => ({ id, key: null, address: null, models: id === "openai" ? { image: null } : {} })) },
  });
  for (const id of ["image_generate", "music_generate"]) {
    await api.admin.call(toolEndpoints.setTier, { params: { id }, body: { tier: "extension" } });
  }
  provider.close();
});

test("options of a provider's own tool are set in its drawer, and removed there", async ({ consolePage: page, api }) => {
  await open(page, "/tools?tool=provider_image_generation");
  const options = page.getByRole("region", { name: "Options" });
  await options.getByLabel("Size").fill("20x20");
  await options.getByRole("button", { name: "Save options" }).click();
  await expect(options.getByText("must have sides of 64 to 4096 pixels")).toBeVisible();
  await options.getByLabel("Size").fill("1024x1536");
  await options.getByRole("combobox", { name: "Format" }).click();
  await page.getByRole("option", { name: "webp" }).click();
  await options.getByRole("button", { name: "Save options" }).click();
  await expect(page.getByText("The next request has the new options")).toBeVisible();
  await checkPage(page, "the options of a provider's tool");
  const stored = async () => (await api.admin.call(nativeToolOptionsEndpoints.get, {})).options.provider_image_generation;
  expect(await stored()).toEqual({ size: "1024x1536", output_format: "webp" });
  await options.getByRole("button", { name: "Remove all" }).click();
  await expect.poll(stored).toEqual({});
});
