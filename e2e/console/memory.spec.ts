import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { agentEndpoints } from "@/contracts/agents";
import { identityEndpoints } from "@/contracts/identity";
import { modelEndpoints } from "@/contracts/models";
import { runEndpoints } from "@/contracts/runs";
import { caller } from "../caller";
import { expect, test } from "../fixtures";
import { type StreamedReply, startStreamingModelServer } from "../streaming-model-server";
import { open } from "./check-page";

const preference = "Answer in short sentences.";

/** A model that stores the preference when a person states one, and otherwise says whether its prompt holds one. */
const startModel = (key: string) =>
  startStreamingModelServer({
    key,
    models: ["large-model"],
    reply: ({ messages }): StreamedReply => {
      const text = (role: string) =>
        messages.filter((message) => message.role === role).map(({ content }) => JSON.stringify(content ?? ""));
      if (!text("user").at(-1)?.includes("I prefer")) {
        return { text: text("system").join("").includes(preference) ? "You prefer short sentences." : "I do not know you." };
      }
      const steps: StreamedReply[] = [
        { toolCalls: [{ id: "enable", name: "enable_tool", arguments: { toolName: "remember" } }] },
        { toolCalls: [{ id: "remember", name: "remember", arguments: { content: preference } }] },
      ];
      return steps[text("tool").length] ?? { text: "I will remember that." };
    },
  });

async function ask(page: Page, text: string, answer: string) {
  await open(page, "/chat");
  const field = page.getByRole("textbox", { name: /^Message to/ });
  await field.fill(text);
  await field.press("Enter");
  await expect(page.getByRole("region", { name: "Conversation" })).toContainText(answer);
}

test("a preference told once is known in a new conversation of that person alone, until the admin forgets it everywhere", async ({
  consolePage: page,
  api,
  productUrl,
}) => {
  const key = `sk-${randomUUID()}`;
  const server = await startModel(key);
  for (const { id } of (await api.admin.call(modelEndpoints.list)).items) await api.admin.call(modelEndpoints.remove, { params: { id } });
  const models = [{ name: "large-model", inputPrice: null, cachedInputPrice: null, outputPrice: null }];
  const body = { name: "Lab", kind: "openai_compatible" as const, baseUrl: server.url, key, models };
  const provider = await api.admin.call(modelEndpoints.create, { body });
  try {
    await ask(page, "I prefer short sentences.", "I will remember that.");
    await ask(page, "How do I like my answers?", "You prefer short sentences.");

    const person = { email: `other-${randomUUID()}@example.com`, password: randomUUID() };
    await api.admin.call(identityEndpoints.createUser, { body: { ...person, name: "Somebody else", role: "admin" } });
    const { token } = await api.nobody.call(identityEndpoints.token, { body: person });
    const agents = (await api.admin.call(agentEndpoints.list, { query: {} })).items;
    const agentId = agents.find(({ isDefault }) => isDefault)?.id ?? "";
    const other = await caller(productUrl, token).call(runEndpoints.start, {
      params: { id: agentId },
      body: { message: "How do I like my answers?", wait: 30 },
    });
    expect(other.answer).toBe("I do not know you.");

    await open(page, `/memory?agent=${agentId}&part=search`);
    await page.getByRole("searchbox", { name: "Search the memory" }).fill("short sentences");
    const hits = page.getByRole("list", { name: "Hits" });
    await expect(hits).toContainText("MEMORY.md:3");
    await expect(hits).toContainText("sentenc");
    await page.getByRole("button", { name: "Forget everywhere" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText(`MEMORY.md: - ${preference}`);
    await dialog.getByRole("textbox").fill("forget");
    await dialog.getByRole("button", { name: "Forget everywhere" }).click();
    await expect(page.getByText("Nothing found")).toBeVisible();
    await ask(page, "How do I like my answers now?", "I do not know you.");
  } finally {
    await api.admin.call(modelEndpoints.remove, { params: { id: provider.id } });
    await server.close();
  }
});
