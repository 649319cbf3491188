import type { Page } from "@playwright/test";
import { modelEndpoints } from "@/contracts/models/models";
import { chatEndpoints } from "@/contracts/runs/chats";
import { askBefore, type Callers, expect, test } from "../fixtures";
import { type AskedCompletion, type StreamedReply, type StreamingModelServer, startStreamingModelServer } from "../streaming-model-server";
import { checkPage, fits, open, pageOfMember, reopen } from "./check-page";

askBefore("shell_execute");

const key = "sk-of-the-chat-123456";
let server: StreamingModelServer;
let reply: (asked: Asked) => StreamedReply = () => ({ text: "Hello." });
test.beforeEach(async () => {
  server = await startStreamingModelServer({ key, models: ["large-model"], reply: (question) => reply(readQuestion(question)) });
});
test.afterEach(() => server.close());

type Asked = {
  /** The last message of the person. */
  text: string;
  /** Messages of the person in the model's history. */
  said: string[];
  /** Results of tools since then. */
  results: string[];
};

function readQuestion({ messages }: AskedCompletion): Asked {
  const textOf = ({ content }: { content?: unknown }) => (typeof content === "string" ? content : JSON.stringify(content ?? ""));
  const last = messages.findLastIndex(({ role }) => role === "user");
  return {
    text: messages[last] ? textOf(messages[last]) : "",
    said: messages.filter(({ role }) => role === "user").map(textOf),
    results: messages.slice(last).flatMap((message) => (message.role === "tool" ? [textOf(message)] : [])),
  };
}

async function removeProviders(api: Callers) {
  for (const { id } of (await api.admin.call(modelEndpoints.list)).items) await api.admin.call(modelEndpoints.remove, { params: { id } });
}

/** Registers the test's model as the only one of the workspace. */
async function giveModel(api: Callers) {
  await removeProviders(api);
  const models = [{ name: "large-model", inputPrice: 2, cachedInputPrice: null, outputPrice: 8 }];
  await api.admin.call(modelEndpoints.create, { body: { name: "Lab", kind: "openai_compatible", baseUrl: server.url, key, models } });
}

const field = (page: Page) => page.getByRole("textbox", { name: /^Message to/ });
const thread = (page: Page) => page.getByRole("region", { name: "Conversation" });
async function say(page: Page, text: string) {
  await field(page).fill(text);
  await field(page).press("Enter");
}

test("from Settings → Models to an answer: a file is read, a command is approved in the chat, and the answer streams on", async ({
  consolePage: page,
  adminContext,
  api,
}) => {
  await removeProviders(api);
  await open(page, "/chat");
  await expect(page.getByText("No model is configured: add a model provider")).toBeVisible();
  await expect(field(page)).toBeDisabled();
  await checkPage(page, "the chat without a model");
  await page.getByRole("link", { name: "Open Settings → Models" }).click();
  await page.getByRole("button", { name: "Add provider" }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByLabel("Name").fill("Lab");
  await drawer.getByLabel("Base URL").fill(server.url);
  await drawer.getByRole("textbox", { name: "Key" }).fill(key);
  await drawer.getByRole("button", { name: "List models" }).click();
  await drawer.getByRole("combobox", { name: "Model to add" }).click();
  await page.getByRole("option", { name: "large-model" }).click();
  await drawer.getByLabel("Input price of large-model", { exact: true }).fill("2");
  await drawer.getByLabel("Output price of large-model").fill("8");
  await drawer.getByRole("button", { name: "Add provider" }).click();
  await expect(drawer).toBeHidden();

  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  reply = ({ results }) => {
    if (results.length === 0)
      return { reasoning: "First the notes.", toolCalls: [{ id: "1", name: "read_file", arguments: { path: "uploads/notes.txt" } }] };
    if (results.length === 1)
      return { toolCalls: [{ id: "2", name: "shell_execute", arguments: { command: "echo approved by a person" } }] };
    return { text: `The notes say **${/four eggs/.exec(results[0] ?? "")?.[0]}** and then all was done.`, until: held };
  };
  await page.getByRole("navigation").getByRole("link", { name: "Chat" }).click();
  await page
    .getByLabel("New message")
    .locator("input[type=file]")
    .setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Buy four eggs.\n") });
  await expect(page.getByRole("list", { name: "Files of this message" })).toContainText("notes.txt");
  await say(page, "What do the notes say?");
  await expect(page, "the conversation has an address").toHaveURL(/chat=/);
  await expect(thread(page).getByRole("list", { name: "Files" })).toContainText("uploads/notes.txt");
  const read = thread(page).getByRole("article", { name: "Call of read_file" });
  await expect(read).toContainText("Succeeded");
  await read.getByRole("button", { name: /read_file/ }).click();
  await expect(read.getByRole("group", { name: "Result sent to the model" })).toContainText("Buy four eggs.");
  await thread(page).getByText("Thought", { exact: true }).first().click();
  await expect(thread(page).getByText("First the notes.")).toBeVisible();

  const card = thread(page).getByRole("region", { name: /^Approval of/ });
  await expect(card.getByRole("group", { name: "Command" })).toContainText("echo approved by a person");
  const inbox = await adminContext.newPage();
  await open(inbox, "/approvals");
  await expect(inbox.getByRole("main").getByText("echo approved by a person").first(), "the same question is in the inbox").toBeVisible();
  await inbox.close();
  await checkPage(page, "a chat with an approval");
  await card.getByRole("button", { name: "Approve once" }).click();
  await expect(thread(page).getByText("The notes say", { exact: false }), "the text streams while it is written").toBeVisible({
    timeout: 30_000,
  });
  await expect(thread(page).getByText("all was done.")).toBeHidden();
  release();
  await expect(thread(page).getByText("all was done.")).toBeVisible();
  await expect(thread(page).locator("strong").filter({ hasText: "four eggs" })).toBeVisible();
  await thread(page)
    .getByRole("button", { name: /3 steps · 42 tokens · \$/ })
    .click();
  await expect(page.getByRole("table", { name: "Cost of each step" }).getByRole("row")).toHaveCount(5);
  await reopen(page);
  await expect(thread(page).getByText("all was done."), "a reload shows the whole conversation").toBeVisible();
  await expect(thread(page).getByRole("article")).toHaveCount(2);
});

test("a run is stopped, retried and edited, and a message waits in the browser until the agent is done", async ({
  consolePage: page,
  api,
}) => {
  await giveModel(api);
  let held = Promise.withResolvers<void>();
  const histories: string[][] = [];
  reply = ({ text, said }) => {
    histories.push(said);
    return text.includes("slowly") ? { text: "Half of it, and the rest.", until: held.promise } : { text: `You said: ${text}` };
  };
  await open(page, "/chat");
  await say(page, "Work slowly");
  await expect(thread(page).getByText("Half of it", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(thread(page).getByText("Stopped before the answer was complete.")).toBeVisible();
  held.resolve();

  await thread(page).getByRole("button", { name: "Retry" }).click();
  await expect(thread(page).getByText("Half of it, and the rest.")).toBeVisible();
  await expect(thread(page).getByText("Stopped before", { exact: false }), "the retried answer took the place").toBeHidden();
  expect(histories.at(-1), "the model does not see the stopped try").toEqual(["Work slowly"]);

  await say(page, "Second message");
  await expect(thread(page).getByText("You said: Second message")).toBeVisible();
  await thread(page).getByText("Work slowly").hover();
  await thread(page).getByRole("button", { name: "Edit message" }).first().click();
  const editor = page.getByRole("form", { name: "Edit message" });
  await editor.getByRole("textbox", { name: "Message" }).fill("Work quickly");
  await editor.getByRole("button", { name: "Send again" }).click();
  await expect(thread(page).getByText("You said: Work quickly")).toBeVisible();
  await expect(thread(page).getByText("Second message"), "later messages left the conversation").toHaveCount(0);
  expect(histories.at(-1)).toEqual(["Work quickly"]);
  const id = new URL(page.url()).searchParams.get("chat") ?? "";
  const { items } = await api.admin.call(chatEndpoints.runs, { params: { id }, query: { superseded: "true" } });
  expect(
    items.map(({ run }) => run.supersededBy !== null),
    "they are kept",
  ).toEqual([false, true, true, true]);

  held = Promise.withResolvers<void>();
  await say(page, "Work slowly again");
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  await say(page, "Thrown away");
  await expect(page.getByText("Queued. Sent when the agent is done.")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Queued.", { exact: false })).toBeHidden();
  await say(page, "And then this");
  await reopen(page);
  await expect(page.getByText("And then this"), "a reload of the tab keeps it").toBeVisible();
  held.resolve();
  await expect(thread(page).getByText("You said: And then this")).toBeVisible();
  await expect(page.getByText("Queued.", { exact: false })).toBeHidden();
  expect(histories.at(-1)).toEqual(["Work quickly", "Work slowly again", "And then this"]);
});

test("a second tab follows live, and a page whose stream is cut reads on", async ({ consolePage: page, adminContext, api }) => {
  await giveModel(api);
  reply = ({ text }) => ({ text: `You said: ${text}` });
  await open(page, "/chat");
  await say(page, "First");
  await expect(thread(page).getByText("You said: First")).toBeVisible();
  const other = await adminContext.newPage();
  await other.route("**/api/v1/runs/*/events", (route) => route.abort());
  await open(other, page.url());
  await expect(thread(other).getByText("You said: First")).toBeVisible();
  await say(page, "Second");
  await expect(thread(other).getByText("You said: Second")).toBeVisible();
  await say(other, "From the other tab");
  await expect(thread(other).getByText("You said: From the other tab")).toBeVisible();
  await expect(thread(page).getByText("You said: From the other tab")).toBeVisible();
  await other.close();
});

test("a run that fails says why and can be retried, and who may not write reads along", async ({
  consolePage: page,
  api,
  browser,
  productUrl,
}) => {
  await giveModel(api);
  const [provider] = (await api.admin.call(modelEndpoints.list)).items;
  const params = { id: provider?.id ?? "" };
  const body = { name: "Lab", kind: "openai_compatible" as const, baseUrl: server.url, models: [{ name: "large-model" }] };
  await api.admin.call(modelEndpoints.update, { params, body: { ...body, key: "sk-wrong" } });
  await open(page, "/chat");
  await say(page, "Are you there?");
  await expect(thread(page).getByRole("alert")).toContainText("key");
  await checkPage(page, "a failed run");
  await api.admin.call(modelEndpoints.update, { params, body: { ...body, key } });
  reply = () => ({ text: "I am here." });
  await thread(page).getByRole("button", { name: "Retry" }).click();
  await expect(thread(page).getByText("I am here.")).toBeVisible();
  await expect(thread(page).getByRole("alert")).toHaveCount(0);

  const viewer = await pageOfMember(browser, productUrl, api, "viewer");
  await open(viewer, page.url());
  await expect(thread(viewer).getByText("I am here.")).toBeVisible();
  await expect(field(viewer)).toBeDisabled();
  await viewer.context().close();
});

test("conversations are found, renamed and deleted, and the tools are shown as a model sees them", async ({ consolePage: page, api }) => {
  await giveModel(api);
  reply = ({ text }) => ({ text: text.includes("zoo") ? "A zebra lives there." : "Fine." });
  await open(page, "/chat");
  await say(page, "Who lives in the zoo?");
  await expect(thread(page).getByText("A zebra lives there.")).toBeVisible();
  await page.getByRole("button", { name: "New chat" }).click();
  await say(page, "How are you?");
  await expect(thread(page).getByText("Fine.")).toBeVisible();
  const list = page.getByRole("list", { name: "Conversations" });
  await page.getByRole("searchbox", { name: "Search conversations" }).fill("zebra");
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await expect(list).toContainText("A zebra lives there.");
  await list.getByRole("link", { name: "Who lives in the zoo?" }).click();
  await expect(thread(page).getByText("A zebra lives there.")).toBeVisible();
  await list.getByRole("button", { name: "Actions for Who lives in the zoo?" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("Zoo");
  await page.getByRole("textbox", { name: "Title" }).press("Enter");
  await expect(list.getByRole("link", { name: "Zoo" })).toBeVisible();

  await page.getByRole("button", { name: "What the model sees" }).click();
  const drawer = page.getByRole("dialog");
  await expect(drawer.getByRole("group", { name: "Tools" })).toContainText('"type": "function"');
  await drawer.getByRole("combobox", { name: "Format" }).click();
  await page.getByRole("option", { name: "Anthropic" }).click();
  await expect(drawer.getByRole("group", { name: "Tools" })).toContainText('"input_schema"');
  await checkPage(page, "the playground");
  await drawer.getByRole("tab", { name: "Submit a call" }).click();
  await drawer.getByRole("combobox", { name: "Tool" }).click();
  await page.getByRole("option", { name: "date_time", exact: true }).click();
  await drawer.getByRole("button", { name: "Run", exact: true }).click();
  await expect(drawer.getByRole("region", { name: "Result" }).getByRole("link", { name: "Open turn" })).toBeVisible();
  await page.keyboard.press("Escape");

  await list.getByRole("button", { name: "Actions for Zoo" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete conversation" }).click();
  await expect(list.getByRole("link", { name: "Zoo" })).toBeHidden();
});

test("a phone and the keyboard alone are enough", async ({ consolePage: page, api }) => {
  await giveModel(api);
  reply = ({ results }) =>
    results.length === 0
      ? { toolCalls: [{ id: "1", name: "shell_execute", arguments: { command: "echo hi" } }] }
      : { text: "Done.\n\n| a long head | another long head | a third long head | a fourth |\n|-|-|-|-|\n| 1 | 2 | 3 | 4 |" };
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, "/chat");
  await page.keyboard.press("i");
  await expect(field(page)).toBeFocused();
  await page.keyboard.type("Say hi");
  await page.keyboard.press("Enter");
  const approve = thread(page).getByRole("button", { name: "Approve once" });
  await expect(approve).toBeVisible();
  await fits(page, "an approval in the chat of a phone");
  for (let presses = 0; presses < 40 && !(await approve.evaluate((button) => button === document.activeElement)); presses++)
    await page.keyboard.press("Shift+Tab");
  await expect(approve).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(thread(page).getByText("Done.")).toBeVisible({ timeout: 30_000 });
  await checkPage(page, "an answer on a phone");
  await page.getByRole("button", { name: "Conversations" }).click();
  const drawer = page.getByRole("dialog", { name: "Conversations" });
  await expect(drawer.getByRole("link", { name: "Say hi" })).toBeVisible();
  await checkPage(page, "the conversations on a phone");
  await page.keyboard.press("Escape");
  await page.emulateMedia({ colorScheme: "dark" });
  await checkPage(page, "the chat in the dark");
});

test("what is typed while a message is on its way stays in the field", async ({ consolePage: page, api }) => {
  await giveModel(api);
  reply = () => ({ text: "Hello." });
  await open(page, "/chat");
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/v1/agents/*/runs", async (route) => {
    await held;
    await route.continue();
  });
  await say(page, "First");
  await say(page, "Second");
  release();
  await expect(thread(page).getByText("Hello.")).toBeVisible();
  await expect(field(page)).toHaveValue("Second");
  await field(page).press("Enter");
  await expect(thread(page).getByText("Second", { exact: true })).toBeVisible();
  await expect(field(page)).toHaveValue("");
});
