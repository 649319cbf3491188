import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { modelEndpoints } from "@/contracts/models/models";
import { expect, test } from "../fixtures";
import { type AskedCompletion, startStreamingModelServer } from "../streaming-model-server";
import { checkPage, open, pageOfMember } from "./check-page";

const key = "sk-of-the-memory-123456";

/** A model that keeps a preference which it is told, and answers a question about it from its instructions alone. */
const rememberer = (preference: string) =>
  function answer({ messages }: AskedCompletion) {
    const last = messages.findLastIndex(({ role }) => role === "user");
    const results = messages.slice(last).filter(({ role }) => role === "tool").length;
    if (!JSON.stringify(messages[last]?.content).includes("Remember")) {
      const instructions = messages.filter(({ role }) => role === "system" || role === "developer");
      return { text: JSON.stringify(instructions).includes(preference) ? `You like ${preference}.` : "I do not know that of you." };
    }
    if (results === 0) return { toolCalls: [{ id: "1", name: "enable_tool", arguments: { toolName: "remember" } }] };
    if (results === 1) return { toolCalls: [{ id: "2", name: "remember", arguments: { content: `Likes ${preference}` } }] };
    return { text: "I keep that in mind." };
  };

/** Writes to the default agent in a new conversation, and waits for its answer. */
async function say(page: Page, text: string, answer: string): Promise<void> {
  await open(page, "/chat");
  const field = page.getByRole("textbox", { name: /^Message to/ });
  await field.fill(text);
  await field.press("Enter");
  await expect(page.getByRole("region", { name: "Conversation" }).getByText(answer)).toBeVisible({ timeout: 30_000 });
}

test("what a person tells an agent is known in that person's next conversation only, until an admin forgets it everywhere", async ({
  consolePage: page,
  browser,
  productUrl,
  api,
}) => {
  const preference = `seat ${randomUUID().slice(0, 8)}`;
  const server = await startStreamingModelServer({ key, models: ["rememberer"], reply: rememberer(preference) });
  const models = [{ name: "rememberer", inputPrice: null, cachedInputPrice: null, outputPrice: null }];
  const body = { name: "Memory lab", kind: "openai_compatible" as const, baseUrl: server.url, key, models };
  const { id: providerId } = await api.admin.call(modelEndpoints.create, { body });
  const other = await pageOfMember(browser, productUrl, api, "admin");
  try {
    await say(page, `Remember that I like ${preference}.`, "I keep that in mind.");
    await say(page, "Which seat do I like?", `You like ${preference}.`);
    await say(other, "Which seat do I like?", "I do not know that of you.");

    await open(other, "/memory?part=search");
    await other.getByRole("searchbox", { name: "Search the memory" }).fill(preference);
    const hit = other.getByRole("list", { name: "Hits" }).getByRole("listitem").filter({ hasText: preference });
    await expect(hit).toContainText("MEMORY.md");
    await checkPage(other, "a hit of the memory");
    await other.getByRole("button", { name: "Forget everywhere" }).click();
    const question = other.getByRole("dialog");
    await expect(question).toContainText(preference);
    await question.getByRole("textbox").fill("forget");
    await question.getByRole("button", { name: "Forget everywhere" }).click();
    await expect(other.getByText("Forgotten in files, versions, entries and facts")).toBeVisible();
    await expect(other.getByText("Nothing found")).toBeVisible();
    await say(page, "Which seat do I like now?", "I do not know that of you.");
  } finally {
    await other.context().close();
    await api.admin.call(modelEndpoints.remove, { params: { id: providerId } });
    await server.close();
  }
});
