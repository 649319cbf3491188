import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { messengerEndpoints } from "@/contracts/messengers/messengers";
import { modelEndpoints } from "@/contracts/models/models";
import { consoleBrowser } from "../console-browser";
import { expect, test } from "../fixtures";
import { type AskedCompletion, type StreamedReply, startStreamingModelServer } from "../streaming-model-server";
import { checkPage, open } from "./check-page";
import { findAxeViolations } from "./find-axe-violations";

const key = "sk-of-the-website-123456";

/** Writes the price list and sends it where somebody asks for it; answers everything else. */
function reply({ messages }: AskedCompletion): StreamedReply {
  const last = messages.findLastIndex(({ role }) => role === "user");
  if (!JSON.stringify(messages[last]?.content).includes("price list")) return { text: "**Yes**, until six." };
  const results = messages.slice(last).filter(({ role }) => role === "tool").length;
  const path = "prices.txt";
  if (results === 0) return { toolCalls: [{ id: "write", name: "write_file", arguments: { path, content: "Rope: 3\n" } }] };
  if (results === 1) return { toolCalls: [{ id: "send", name: "channel_send_file", arguments: { path, caption: "Our prices" } }] };
  return { text: "There it is." };
}

/** Rules as sites have them, for their own pages. */
const siteStyle = "html { font-size: 62.5% } * { color: #b00020; font-size: 30px } body > * { position: static }";

/** A site of somebody else with one page. */
async function startSite(): Promise<{ url: string; show: (html: string) => void; close: () => void }> {
  let shown = "";
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(
      `<!doctype html><html lang="en"><title>The rope shop</title><style>${siteStyle}</style><main><h1>Ropes</h1></main>${shown}</html>`,
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const show = (html: string) => {
    shown = html;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, show, close: () => server.close() };
}

test("a chat is put on a website by one line; its visitor asks, gets an answer and a file, and finds them again", async ({
  consolePage: page,
  api,
  browser,
}) => {
  test.setTimeout(240_000);
  const [model, site] = await Promise.all([startStreamingModelServer({ key, models: ["large-model"], reply }), startSite()]);
  for (const { id } of (await api.admin.call(modelEndpoints.list)).items) await api.admin.call(modelEndpoints.remove, { params: { id } });
  const models = [{ name: "large-model" }];
  await api.admin.call(modelEndpoints.create, { body: { name: "Lab", kind: "openai_compatible", baseUrl: model.url, key, models } });
  const visitors = await browser.newContext({ ...consoleBrowser, viewport: { width: 390, height: 844 } });
  try {
    const name = `Website ${randomUUID().slice(0, 6)}`;
    await open(page, "/messengers?messenger=new");
    const form = page.getByRole("dialog");
    await form.getByLabel("Name", { exact: true }).fill(name);
    await form.getByLabel("Platform", { exact: true }).selectOption({ label: "Website" });
    await form.getByLabel("Who may write").selectOption("anyone");
    await form.getByRole("textbox", { name: "Sites" }).fill(`${site.url}/shop`);
    await form.getByRole("button", { name: "Add messenger" }).click();
    await expect(form.getByText(/is no address of a site/).first()).toBeVisible();
    await form.getByRole("textbox", { name: "Sites" }).fill(site.url);
    await form.getByLabel("Greeting (optional)").fill("How can we help?");
    await checkPage(page, "the form of a website's chat");
    await form.getByRole("button", { name: "Add messenger" }).click();
    const story = page.getByRole("dialog", { name });
    const line = (await story.getByText(/^<script async src=/).textContent()) ?? "";
    await checkPage(page, "a website's chat");

    site.show(line);
    const shop = await visitors.newPage();
    const errors: unknown[] = [];
    shop.on("pageerror", (error) => errors.push(error));
    await shop.goto(site.url);
    await shop.getByRole("button", { name: "Chat" }).click();
    const chat = shop.getByRole("dialog", { name });
    await expect(chat.getByRole("listitem")).toHaveText(["How can we help?"]);
    const field = chat.getByRole("textbox", { name: "Message" });
    await expect(field, "the site's own rules stay outside of the chat").toHaveCSS("font-size", "16px");
    await expect(chat.getByRole("listitem").first()).not.toHaveCSS("color", "rgb(176, 0, 32)");
    await expect(shop.locator("handrail-chat")).toHaveCSS("position", "fixed");
    const { promise: isTyped, resolve: sendNow } = Promise.withResolvers<void>();
    await shop.route("**/visits", async (route) => {
      if (route.request().postData()?.includes("Are you open?")) await isTyped;
      await route.continue();
    });
    await shop.keyboard.type("Are you open?");
    await shop.keyboard.press("Enter");
    await field.fill("Send me the price list");
    sendNow();
    await expect(chat.getByRole("listitem")).toHaveText(["How can we help?", "Are you open?", "Yes, until six."]);
    await expect(field, "words that were typed meanwhile stay").toHaveValue("Send me the price list");
    await chat.getByRole("button", { name: "Send" }).click();
    await expect(chat.getByRole("listitem").last()).toHaveText("There it is.", { timeout: 60_000 });
    const [file] = await Promise.all([shop.waitForEvent("download"), chat.getByRole("button", { name: "Download prices.txt" }).click()]);
    expect(await readFile(await file.path(), "utf8")).toBe("Rope: 3\n");
    expect(await findAxeViolations(shop), "the chat by axe").toEqual([]);

    await shop.reload();
    await shop.getByRole("button", { name: "Chat" }).click();
    await expect(chat.getByRole("listitem")).toHaveCount(6);
    await shop.keyboard.press("Escape");
    await expect(shop.getByRole("button", { name: "Chat" })).toBeFocused();
    expect(errors).toEqual([]);

    await open(page, "/messengers");
    await page.getByRole("listitem").filter({ hasText: name }).getByRole("link").first().click();
    await expect(story.getByText(/Visitor \w{6} on 127\.0\.0\.1/).first()).toBeVisible();
  } finally {
    await visitors.close();
    for (const { id } of (await api.admin.call(messengerEndpoints.list)).items)
      await api.admin.call(messengerEndpoints.remove, { params: { id } });
    await model.close();
    site.close();
  }
});
