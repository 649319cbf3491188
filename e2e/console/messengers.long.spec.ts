import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { identityEndpoints } from "@/contracts/identity/identity";
import { messengerEndpoints } from "@/contracts/messengers/messengers";
import { modelEndpoints } from "@/contracts/models/models";
import { mailSettingsEndpoints } from "@/contracts/notifications/mail-settings";
import { notificationEndpoints } from "@/contracts/notifications/notifications";
import { startMailReceiver } from "@/server/testing/platforms/mail-receiver";
import { startPushService, subscribeBrowser } from "@/server/testing/platforms/push-service";
import { caller } from "../caller";
import { consoleBrowser } from "../console-browser";
import { askBefore, type Callers, expect, test } from "../fixtures";
import { type AskedCompletion, type StreamedReply, type StreamingModelServer, startStreamingModelServer } from "../streaming-model-server";
import { type ChatPlatform, openSlack, openTelegram, seen } from "./chat-platforms";
import { checkPage, fits, open } from "./check-page";
import { findDetail, findLine, openInbox } from "./pending-approvals";

askBefore("write_file");

const key = "sk-of-the-messengers-123456";
const written = "Sales rose by a tenth.\n";
let server: StreamingModelServer;
test.beforeEach(async ({ api }) => {
  server = await startStreamingModelServer({ key, models: ["large-model"], reply });
  for (const { id } of (await api.admin.call(modelEndpoints.list)).items) await api.admin.call(modelEndpoints.remove, { params: { id } });
  const models = [{ name: "large-model" }];
  await api.admin.call(modelEndpoints.create, { body: { name: "Lab", kind: "openai_compatible", baseUrl: server.url, key, models } });
});
test.afterEach(async ({ api }) => {
  for (const { id } of (await api.admin.call(messengerEndpoints.list)).items)
    await api.admin.call(messengerEndpoints.remove, { params: { id } });
  await server.close();
});

/** Writes the report, sends it to the chat, and says so. */
function reply({ messages }: AskedCompletion): StreamedReply {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const [, path = "report.txt"] = /(report-\w+\.txt)/.exec(JSON.stringify(messages[last]?.content)) ?? [];
  const results = messages.slice(last).filter(({ role }) => role === "tool").length;
  if (results === 0) return { toolCalls: [{ id: "write", name: "write_file", arguments: { path, content: written } }] };
  if (results === 1) return { toolCalls: [{ id: "send", name: "channel_send_file", arguments: { path, caption: "Here it is" } }] };
  return { text: `The report is written, and the file is here in the chat. Its name is ${path}, as you asked.`, pauseMs: 5_000 };
}

/** Connects an account on the page Messengers, as an admin does. */
async function connect(page: Page, api: Callers, platform: ChatPlatform): Promise<string> {
  const name = `${platform.title} ${randomUUID().slice(0, 6)}`;
  await open(page, "/messengers?messenger=new");
  const form = page.getByRole("dialog");
  await form.getByLabel("Name", { exact: true }).fill(name);
  await form.getByLabel("Platform", { exact: true }).selectOption({ label: platform.title });
  await platform.fillForm(form);
  await form.getByLabel("Who may write").selectOption("anyone");
  await checkPage(page, `the form for ${platform.title}`);
  await form.getByRole("button", { name: "Add messenger" }).click();
  const story = page.getByRole("dialog", { name });
  await expect(story).toBeVisible();
  const found = (await api.admin.call(messengerEndpoints.list)).items.find((messenger) => messenger.name === name);
  const id = found?.id ?? "";
  await expect.poll(async () => (await api.admin.call(messengerEndpoints.get, { params: { id } })).state).toBe("connected");
  platform.calls(`${new URL(page.url()).origin}/messengers/${id}/webhook`);
  return name;
}

/** The admin's own chat: the code of the page Contacts, sent from the platform. */
async function linkChat(page: Page, platform: ChatPlatform): Promise<void> {
  await open(page, "/contacts");
  await page.getByRole("button", { name: "Link my chat" }).click();
  const command = page.getByText(/^\/link \w+/);
  await expect(command).toBeVisible();
  await platform.write((await command.textContent())?.trim() ?? "");
  await seen(platform, /Linked with/);
}

for (const { title, openChat } of [
  { title: "Telegram", openChat: openTelegram },
  { title: "Slack", openChat: openSlack },
]) {
  test(`on ${title} a person orders a report, approves its writing by a button, and gets the file with an answer that grows`, async ({
    consolePage: page,
    api,
  }) => {
    test.setTimeout(300_000);
    const platform = await openChat();
    try {
      const name = await connect(page, api, platform);
      await linkChat(page, platform);
      const path = `report-${randomUUID().slice(0, 8)}.txt`;
      await openInbox(page, path);
      await platform.write(`Write ${path} and send it to me`);

      const card = await seen(platform, /Approval needed/);
      expect(card.text).toContain(path);
      expect(card.buttons).toEqual(["Approve", "Deny"]);
      await expect(findLine(page, path)).toBeVisible();
      await findLine(page, path).getByRole("link").click();
      await card.press("Approve");
      await expect(
        findDetail(page)
          .getByText(new RegExp(`${title} · ${name}`))
          .first(),
      ).toBeVisible();
      await seen(platform, /Approved.* by /s);
      const beginning = await seen(platform, /The report is written/);
      expect(beginning.text, "the answer is shown while it is written").not.toContain("as you asked");
      const whole = await seen(platform, /as you asked/);
      expect(whole.edits).toBeGreaterThan(0);
      expect(platform.messages().filter(({ text }) => text.includes("The report is written"))).toHaveLength(1);
      await expect.poll(() => platform.files()).toEqual([`${path}: ${written}`]);

      await open(page, "/messengers");
      const row = page.getByRole("listitem").filter({ hasText: name });
      await expect(row).toContainText("Connected");
      await row.getByRole("link").first().click();
      await expect(page.getByRole("dialog", { name }).getByText(/Private:/)).toBeVisible();
      await checkPage(page, `${title} with a chat and its messages`);
    } finally {
      await platform.close();
    }
  });
}

test("an approver without the console open gets a push and a mail, decides on the phone, and the copy on Slack says by whom", async ({
  consolePage: page,
  api,
  browser,
  productUrl,
}) => {
  test.setTimeout(300_000);
  const [slack, mail, push] = await Promise.all([openSlack(), startMailReceiver(), startPushService()]);
  const person = { email: `away-${randomUUID()}@example.com`, password: randomUUID(), name: "Grace Away", role: "approver" as const };
  const phone = await browser.newContext({ ...consoleBrowser, baseURL: productUrl, viewport: { width: 390, height: 844 } });
  try {
    await api.admin.call(mailSettingsEndpoints.update, {
      body: { server: mail.address, user: "handrail", password: "right", sender: "handrail@example.com" },
    });
    await api.admin.call(identityEndpoints.createUser, { body: person });
    const { token } = await api.nobody.call(identityEndpoints.token, { body: { email: person.email, password: person.password } });
    const away = caller(productUrl, token);
    await away.call(notificationEndpoints.updateSettings, { body: { messenger: true, email: "at_once", push: true } });
    const device = subscribeBrowser(push, "phone");
    await away.call(notificationEndpoints.addDevice, { body: device.subscription });

    await connect(page, api, slack);
    const path = `report-${randomUUID().slice(0, 8)}.txt`;
    await slack.write(`Write ${path} and send it to me`);
    await seen(slack, /Approval needed/);
    await expect.poll(() => device.messages(), { timeout: 60_000 }).toHaveLength(1);
    const own = () => mail.mails.filter(({ to }) => to?.some(({ address }) => address === person.email));
    await expect.poll(own, { timeout: 60_000 }).toHaveLength(1);
    const link = /https?:\/\/\S+\/approvals\?approval=[0-9a-f-]+/.exec(own()[0]?.text ?? "")?.[0] ?? "";
    expect(new URL(link).search).toBe(new URL(device.messages()[0]?.url ?? "", productUrl).search);

    const small = await phone.newPage();
    await small.goto(`${productUrl}${new URL(link).pathname}${new URL(link).search}`);
    await expect(small, "the link decides nothing by itself").toHaveURL(/\/sign-in\?callbackUrl=/);
    await small.getByLabel("Email").fill(person.email);
    await small.getByRole("textbox", { name: "Password" }).fill(person.password);
    await small.getByRole("button", { name: "Sign in" }).click();
    const detail = findDetail(small);
    await expect(detail).toContainText(path);
    await small.evaluate(() => localStorage.setItem("handrail.undo-decisions", "false"));
    await fits(small, "the card on a phone");
    await detail.getByRole("button", { name: "Approve once" }).click();
    const copy = await seen(slack, /Approved.* by Grace Away/s);
    expect(copy.buttons).toEqual([]);
    await expect.poll(() => slack.files(), { timeout: 60_000 }).toEqual([`${path}: ${written}`]);
  } finally {
    await phone.close();
    await api.admin.call(mailSettingsEndpoints.update, { body: { server: "", user: "", password: null, sender: "" } });
    await Promise.all([slack.close(), mail.close(), push.close()]);
  }
});
