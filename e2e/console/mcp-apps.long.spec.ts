import { copyFile, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "@playwright/test";
import { mcpServerEndpoints } from "@/contracts/mcp/mcp-servers";
import { modelEndpoints } from "@/contracts/models/models";
import { installedNode, installProgram } from "../../scripts/install-program";
import { askBefore, expect, test } from "../fixtures";
import { type StreamingModelServer, startStreamingModelServer } from "../streaming-model-server";
import { checkPage, open } from "./check-page";

const alias = "counter";
const key = "sk-of-the-apps-123456";
let models: StreamingModelServer;
let provider: string;
let folder: string;

askBefore(`${alias}__reset`);

/** A server as its author wrote it, with an app that uses the official library, and a model that calls its tool. */
test.beforeAll(async ({ api }) => {
  models = await startStreamingModelServer({
    key,
    models: ["large-model"],
    reply: ({ messages }) =>
      messages.some(({ role }) => role === "tool")
        ? { text: "Here is your counter." }
        : { toolCalls: [{ id: "1", name: `${alias}__show_counter`, arguments: { start: 4 } }] },
  });
  const model = { name: "large-model", inputPrice: null, cachedInputPrice: null, outputPrice: null };
  const body = { name: "Apps", kind: "openai_compatible" as const, baseUrl: models.url, key, models: [model] };
  provider = (await api.admin.call(modelEndpoints.create, { body })).id;
  folder = await realpath(await mkdtemp(path.join(tmpdir(), "handrail-apps-")));
  const library = path.join(folder, "app-with-deps.js");
  await copyFile(path.resolve("node_modules/@modelcontextprotocol/ext-apps/dist/src/app-with-deps.js"), library);
  const args = [await installProgram("counter", path.resolve("server/testing/mcp/app-mcp-server.mjs")), library];
  const server = { alias, transport: "stdio" as const, command: installedNode(), args, trustHints: true, tier: "core" as const };
  const { id } = await api.admin.call(mcpServerEndpoints.create, { body: server });
  await expect
    .poll(async () => (await api.admin.call(mcpServerEndpoints.get, { params: { id } })).status, { timeout: 60_000 })
    .toBe("connected");
});
test.afterAll(async ({ api }) => {
  const { items } = await api.admin.call(mcpServerEndpoints.list, { query: { query: alias } });
  for (const { id } of items) await api.admin.call(mcpServerEndpoints.remove, { params: { id } });
  await api.admin.call(modelEndpoints.remove, { params: { id: provider } });
  await models.close();
  await rm(folder, { recursive: true, force: true });
});

const appOf = (page: Page) => page.getByRole("figure", { name: `App of ${alias}` });

test("a tool's app is shown in the chat, apart from the console: it gets input, result and theme, and calls its server past the guard", async ({
  consolePage: page,
}) => {
  await open(page, "/chat");
  const field = page.getByRole("textbox", { name: /^Message to/ });
  await field.fill("Show me the counter");
  await field.press("Enter");
  const app = appOf(page);
  const inside = app.frameLocator("iframe");
  await expect(inside.locator("#input")).toHaveText('{"start":4}');
  await expect(inside.locator("#result")).toHaveText('{"count":4}');
  await expect(inside.locator("#theme")).toHaveText("light");
  await expect(app).toContainText("May reach api.example.com, *.cdn.example.com");
  await expect(inside.locator("#isolation")).toHaveText("Refused: origin null, cookie, storage, parent, fetch, network");
  await checkPage(page, "an app in the chat");

  await inside.getByRole("button", { name: "Count on" }).click();
  await expect(inside.locator("#count")).toHaveText("5");

  await inside.getByRole("button", { name: "Open the manual" }).click();
  const question = page.getByRole("dialog", { name: "Open this address?" });
  await expect(question).toContainText("https://manual.example.com/counter");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(inside.locator("#note")).toHaveText("not opened");

  await inside.getByRole("button", { name: "Reset" }).click();
  await expect(app).toContainText(`The app wants to call ${alias}__reset.`);
  await app.getByRole("button", { name: "Approve" }).first().click();
  await expect(inside.locator("#count")).toHaveText("0", { timeout: 30_000 });

  await page.emulateMedia({ colorScheme: "dark" });
  await expect(inside.locator("#theme")).toHaveText("dark");

  await page.getByRole("button", { name: new RegExp(`${alias}__show_counter`) }).click();
  await page.getByRole("link", { name: "Open turn" }).click();
  await expect(appOf(page).frameLocator("iframe").locator("#count")).toHaveText("4");
  await checkPage(page, "an app on the page of its turn");
});
