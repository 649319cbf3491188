import { modelEndpoints } from "@/contracts/models/models";
import { expect, test } from "../fixtures";
import { type StreamingModelServer, startStreamingModelServer } from "../streaming-model-server";
import { checkPage, fits, open, pageOfMember } from "./check-page";

const key = "sk-of-the-journey-123456";
let server: StreamingModelServer;
test.beforeEach(async () => {
  server = await startStreamingModelServer({ key, models: ["small-model", "large-model"] });
});
test.afterEach(() => server.close());

test("an admin adds a provider, chooses a listed model, tests it with a real request, and no key is shown", async ({
  consolePage: page,
  api,
  browser,
  productUrl,
}) => {
  for (const { id } of (await api.admin.call(modelEndpoints.list)).items) await api.admin.call(modelEndpoints.remove, { params: { id } });
  await open(page, "/settings");
  await page.getByRole("link", { name: "Models" }).click();
  await expect(page.getByText("No model is configured")).toBeVisible();
  await checkPage(page, "Settings → Models without a provider");
  await page.getByRole("button", { name: "Add provider" }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("button", { name: "Add provider" }).click();
  await expect(drawer.getByLabel("Base URL"), "what is missing is said where it is missing").toHaveAttribute("aria-invalid", "true");

  await drawer.getByLabel("Name").fill("Test lab");
  await drawer.getByLabel("Base URL").fill(server.url);
  await drawer.getByRole("textbox", { name: "Key" }).fill("sk-wrong");
  await drawer.getByRole("button", { name: "List models" }).click();
  await expect(drawer.getByRole("alert")).toContainText("refuses the key");
  await drawer.getByRole("textbox", { name: "Key" }).fill(key);
  await drawer.getByRole("button", { name: "List models" }).click();
  await expect(drawer.getByText("The provider has 2 models.")).toBeVisible();
  await drawer.getByRole("combobox", { name: "Model to add" }).click();
  await page.getByRole("option", { name: "large-model" }).click();
  await drawer.getByLabel("Input price of large-model", { exact: true }).fill("0.25");
  await drawer.getByLabel("Output price of large-model").fill("2");
  await drawer.getByRole("button", { name: "Test" }).click();
  await expect(drawer.getByText("Answered")).toBeVisible();
  await expect(drawer.getByRole("group", { name: "Model's words" })).toContainText("ready");
  await checkPage(page, "the form of a provider");
  await drawer.getByRole("button", { name: "Add provider" }).click();
  await expect(drawer).toBeHidden();

  const row = page.getByRole("listitem").filter({ hasText: "Test lab" });
  await expect(row).toContainText("large-model");
  await expect(row).toContainText("••••3456");
  const [saved] = (await api.admin.call(modelEndpoints.list)).items;
  expect(saved?.models).toEqual([{ name: "large-model", inputPrice: 0.25, cachedInputPrice: null, outputPrice: 2 }]);
  await row.getByRole("link", { name: "Test lab" }).click();
  await expect(drawer.getByText("Stored: ••••3456")).toBeVisible();
  await drawer.getByRole("button", { name: "Test" }).click();
  await expect(drawer.getByText("Answered"), "a test uses the stored key").toBeVisible();
  expect(await page.content()).not.toContain(key);
  await page.keyboard.press("Escape");
  await fits(page, "a list of providers");
  await row.getByRole("switch", { name: "Test lab is on" }).click();
  await expect.poll(async () => (await api.admin.call(modelEndpoints.list)).items[0]?.enabled).toBe(false);

  const viewer = await pageOfMember(browser, productUrl, api, "viewer");
  await open(viewer, "/settings/models");
  await expect(viewer.getByRole("button", { name: "Add provider" })).toBeDisabled();
  await expect(viewer.getByRole("listitem").filter({ hasText: "Test lab" })).toContainText("large-model");
});
