import { randomUUID } from "node:crypto";
import { agentEndpoints } from "@/contracts/agents/agents";
import { knowledgeEndpoints } from "@/contracts/knowledge/knowledge";
import { modelEndpoints } from "@/contracts/models/models";
import { pagedPdf, wordOf, zipOf } from "../document-files";
import { expect, test } from "../fixtures";
import { type AskedCompletion, type StreamingModelServer, startStreamingModelServer } from "../streaming-model-server";
import { checkPage, open } from "./check-page";

const key = "sk-of-knowledge-123456";
let server: StreamingModelServer;
test.beforeEach(async () => {
  server = await startStreamingModelServer({ key, models: ["reader"], reply: answerFrom });
});
test.afterEach(() => server.close());

/** A model that looks the question up and answers with the lines that the tool hands out for its citations. */
function answerFrom({ messages }: AskedCompletion) {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const results = messages.slice(last).flatMap(({ role, content }) => (role === "tool" ? [JSON.stringify(content)] : []));
  if (JSON.stringify(messages[last]?.content).includes("Correct")) return correct(results);
  if (results.length === 0) return { toolCalls: [{ id: "1", name: "enable_tool", arguments: { toolName: "wiki_semantic_search" } }] };
  if (results.length === 1) return { toolCalls: [{ id: "2", name: "wiki_semantic_search", arguments: { query: "zephyrine valve" } }] };
  const target = /\/knowledge\/sources\/[0-9a-f-]{36}\?page=\d+/.exec(results[1] ?? "")?.[0] ?? "nothing";
  return { text: `It opens at noon [1]; see [[valves]].\n\n[1]: ${target}` };
}

/** A model that changes a page, and repeats what the tool says. */
function correct(results: readonly string[]) {
  if (results.length === 0) return { toolCalls: [{ id: "3", name: "enable_tool", arguments: { toolName: "wiki_update_page" } }] };
  const page = { slug: "all-valves", content: "They open at midnight." };
  if (results.length === 1) return { toolCalls: [{ id: "4", name: "wiki_update_page", arguments: page }] };
  return { text: /Cannot update manually curated page: all-valves/.exec(results[1] ?? "")?.[0] ?? "The page is changed." };
}

test("documents are dropped and read, pages cite them, and an agent answers with a citation that opens the page", async ({
  consolePage: page,
  api,
}) => {
  const name = `Handbook ${randomUUID().slice(0, 8)}`;
  await open(page, "/knowledge");
  await page.getByRole("button", { name: "Add knowledge base" }).first().click();
  const drawer = page.getByRole("dialog");
  await drawer.getByLabel("Name").fill(name);
  await drawer.getByLabel("Description").fill("Valves and how to care for them");
  await drawer.getByRole("button", { name: "Add knowledge base" }).click();
  await drawer.getByRole("link", { name: "Open" }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  await checkPage(page, "a base without sources");

  const pages = Array.from({ length: 200 }, (_, at) =>
    at === 118 ? "The zephyrine valve opens at noon." : `Page ${at + 1} of the manual.`,
  );
  await page.locator("input[type=file]").setInputFiles([
    { name: "manual.pdf", mimeType: "application/pdf", buffer: Buffer.from(pagedPdf(pages)) },
    { name: "letter.docx", mimeType: "application/vnd.openxmlformats", buffer: Buffer.from(wordOf(["Dear quillon,"])) },
    { name: "more.zip", mimeType: "application/zip", buffer: Buffer.from(zipOf({ "notes/one.md": "# One", "notes/two.txt": "Two" })) },
  ]);
  const sources = page.getByRole("list", { name: "Sources" });
  await expect(sources.getByRole("listitem").filter({ hasText: "manual.pdf" })).toContainText("200 pages", { timeout: 60_000 });
  await expect(sources.getByRole("listitem")).toHaveCount(5, { timeout: 30_000 });
  await expect(sources.getByText("Read", { exact: true })).toHaveCount(4, { timeout: 30_000 });
  await checkPage(page, "a base with sources");

  await page.getByRole("tab", { name: "Pages" }).click();
  await page.getByRole("button", { name: "New page" }).click();
  await page.getByLabel("Title").fill("Valves");
  await page.getByLabel("Content").fill("They open at noon [1]. See [[care]].\n\n[1]: manual.pdf, p. 119");
  await page.getByRole("button", { name: "Add page" }).click();
  const article = page.getByRole("article", { name: "Valves" });
  await expect(article.getByText("1 broken link")).toBeVisible();
  await checkPage(page, "a page of knowledge");
  await article.getByRole("link", { name: "[1]", exact: true }).click();
  await expect(page.getByText("Page 119 of 200")).toBeVisible();
  await expect(page.getByText("The zephyrine valve opens at noon.")).toBeVisible();
  await expect(page.getByRole("img", { name: "Page 119 as it looks" })).toHaveJSProperty("complete", true);
  await checkPage(page, "a source");
  await page.goBack();

  await article.getByRole("button", { name: "Rename" }).click();
  await page.getByLabel("New slug").fill("all-valves");
  await page.getByRole("button", { name: "Save slug" }).click();
  await expect(article.getByText("all-valves")).toBeVisible();
  await article.getByRole("button", { name: "Archive" }).click();
  await expect(article.getByText("Archived", { exact: true })).toBeVisible();
  await article.getByRole("button", { name: "Restore" }).click();
  await expect(article.getByText("Archived", { exact: true })).toHaveCount(0);

  const { items } = await api.admin.call(knowledgeEndpoints.list, { query: { limit: 200 } });
  const base = items.find((one) => one.name === name);
  if (!base) throw new Error("The base is not listed");
  await api.admin.call(modelEndpoints.create, {
    body: {
      name: `Lab ${base.id.slice(-6)}`,
      kind: "openai_compatible",
      baseUrl: server.url,
      key,
      models: [{ name: "reader", inputPrice: 1, cachedInputPrice: null, outputPrice: 1 }],
    },
  });
  const agent = (await api.admin.call(agentEndpoints.list, {})).items.find(({ isDefault }) => isDefault);
  if (!agent) throw new Error("The workspace has no default agent");
  const { description, mode, writerAgentId, watchedFolder } = base;
  const body = {
    name,
    description,
    mode,
    writerAgentId,
    watchedFolder,
    agents: [{ agentId: agent.id, access: "write" as const, pageTypes: [] }],
  };
  await api.admin.call(knowledgeEndpoints.update, { params: { id: base.id }, body });
  await open(page, "/chat");
  const field = page.getByRole("textbox", { name: /^Message to/ });
  await field.fill("When does the zephyrine valve open?");
  await field.press("Enter");
  const thread = page.getByRole("region", { name: "Conversation" });
  await expect(thread.getByText("It opens at noon")).toBeVisible({ timeout: 30_000 });
  await expect(thread.getByRole("link", { name: "valves", exact: true })).toHaveAttribute("href", "/knowledge?slug=valves");
  await thread.getByRole("link", { name: "[1]", exact: true }).click();
  await expect(page.getByText("Page 119 of 200")).toBeVisible();

  await open(page, "/chat");
  await field.fill("Correct the page about valves.");
  await field.press("Enter");
  await expect(thread.getByText("Cannot update manually curated page: all-valves").last()).toBeVisible({ timeout: 30_000 });

  await open(page, "/knowledge?slug=valves");
  await article.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Remove page" }).click();
  await expect(article).toHaveCount(0);
});
