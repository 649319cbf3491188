import { randomUUID } from "node:crypto";
import { agentEndpoints } from "@/contracts/agents/agents";
import { knowledgeEndpoints } from "@/contracts/knowledge/knowledge";
import { modelEndpoints } from "@/contracts/models/models";
import { expect, test } from "../fixtures";
import { type StreamingModelServer, startStreamingModelServer } from "../streaming-model-server";
import { checkPage, open } from "./check-page";

const key = "sk-of-transformations-123456";
let server: StreamingModelServer;
let answers = 0;
test.beforeEach(async () => {
  server = await startStreamingModelServer({
    key,
    models: ["writer"],
    reply: () => ({ text: answers++ === 0 ? "The valve opens.\nIt is red." : "The valve opens.\nIt is blue." }),
  });
});
test.afterEach(() => server.close());

test("a transformation is written and run, two runs are compared, and the log says what happened", async ({ consolePage: page, api }) => {
  const agent = (await api.admin.call(agentEndpoints.list, {})).items.find(({ isDefault }) => isDefault);
  await api.admin.call(modelEndpoints.create, {
    body: {
      name: `Lab ${randomUUID().slice(0, 6)}`,
      kind: "openai_compatible",
      baseUrl: server.url,
      key,
      models: [{ name: "writer", inputPrice: 1, cachedInputPrice: null, outputPrice: 1 }],
    },
  });
  const name = `Valves ${randomUUID().slice(0, 8)}`;
  const base = await api.admin.call(knowledgeEndpoints.create, { body: { name, writerAgentId: agent?.id ?? null } });
  await api.admin.call(knowledgeEndpoints.createPage, { params: { id: base.id }, body: { title: "Valves", content: "They open." } });

  await open(page, `/knowledge/${base.id}?view=transformations`);
  await expect(page.getByText("No transformations yet")).toBeVisible();
  await page.getByRole("button", { name: "New transformation" }).click();
  const editor = page.getByRole("form", { name: "New transformation" });
  await editor.getByLabel("Name").fill("Summary");
  await editor.getByLabel("Prompt").fill("Summarise {title}");
  await editor.getByRole("button", { name: "Add transformation" }).click();
  await expect(editor.getByRole("alert")).toContainText("needs the place {input_text}");
  await editor.getByLabel("Prompt").fill("Summarise {title}: {input_text}");
  await editor.getByRole("button", { name: "Add transformation" }).click();

  const article = page.getByRole("article", { name: "Summary" });
  const runs = article.getByRole("list", { name: "Runs" });
  for (const count of [1, 2]) {
    await article.getByRole("combobox", { name: "Run on" }).click();
    await page.getByRole("option", { name: "Valves" }).click();
    await article.getByRole("button", { name: "Run", exact: true }).click();
    await expect(runs.getByText("Completed")).toHaveCount(count, { timeout: 30_000 });
  }
  await checkPage(page, "a transformation");
  // The comparison is loaded with the second click, so that the box is ticked a moment after it.
  for (const box of await runs.getByRole("checkbox").all()) {
    await box.click();
    await expect(box).toBeChecked();
  }
  const comparison = article.getByRole("region", { name: "Comparison" });
  await expect(comparison.getByText("It is red.")).toBeVisible();
  await expect(comparison.getByText("It is blue.")).toBeVisible();
  await expect(comparison.getByText("Both runs used the same prompt.")).toBeVisible();
  await checkPage(page, "two runs that are compared");
  await article.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Remove transformation" }).click();
  await expect(page.getByText("No transformations yet")).toBeVisible();

  await page.getByRole("tab", { name: "Pages" }).click();
  await page.getByRole("button", { name: "Log" }).click();
  const log = page.getByRole("article", { name: "Log" });
  await expect(log.getByText(/Page .*valves.* created/i)).toBeVisible();
  await expect(log.getByRole("button", { name: "Edit" })).toHaveCount(0);
  await page.getByRole("button", { name: "Overview" }).click();
  await expect(page.getByRole("article", { name: "Overview" }).getByRole("button", { name: "Edit" })).toBeVisible();
});
