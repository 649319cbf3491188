import { randomUUID } from "node:crypto";
import { agentEndpoints } from "@/contracts/agents/agents";
import { modelEndpoints } from "@/contracts/models/models";
import { expect, test } from "../fixtures";
import { type AskedCompletion, startStreamingModelServer } from "../streaming-model-server";
import { checkPage, open } from "./check-page";

const lastOf = ({ messages }: AskedCompletion, role: string) =>
  JSON.stringify(messages.filter((message) => message.role === role).at(-1)?.content ?? "");

test("a workflow of two agents is made, run and read in the console", async ({ consolePage: page, api }) => {
  const mark = randomUUID().slice(0, 8);
  const key = "sk-of-the-workflow";
  const model = await startStreamingModelServer({
    key,
    models: ["small"],
    reply: (question) => ({
      text: `${lastOf(question, "system").includes("editor") ? "Edited" : "Drafted"}: ${lastOf(question, "user").slice(1, -1)}`,
    }),
  });
  try {
    const provider = await api.admin.call(modelEndpoints.create, {
      body: { name: `Lab ${mark}`, kind: "openai_compatible", baseUrl: model.url, key, models: [{ name: "small" }] },
    });
    const models = [{ providerId: provider.id, model: "small" }];
    const [drafter, editor] = [`drafter-${mark}`, `editor-${mark}`];
    await api.admin.call(agentEndpoints.create, { body: { name: drafter, instructions: "You are a drafter.", models } });
    await api.admin.call(agentEndpoints.create, { body: { name: editor, instructions: "You are an editor.", models } });

    await open(page, "/workflows");
    await page.getByRole("button", { name: "Add workflow" }).click();
    const form = page.getByRole("form", { name: "New workflow" });
    await form.getByLabel("Name", { exact: true }).fill(`Report ${mark}`);
    await form.getByRole("button", { name: "Add workflow" }).click();
    await expect(form.getByRole("alert")).toHaveText("Step 1 needs an agent.");
    const chooseAgent = async (step: number, name: string) => {
      await form.getByRole("combobox", { name: `Step ${step}: agent` }).fill(name);
      await page.getByRole("option", { name }).click();
    };
    await chooseAgent(1, drafter);
    await form.getByRole("button", { name: "Add step" }).click();
    await chooseAgent(2, editor);
    await checkPage(page, "the form of a workflow");
    await form.getByRole("button", { name: "Add workflow" }).click();

    await page.getByRole("textbox", { name: "Input of the workflow" }).fill("Rain in May");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    const run = page.getByRole("list", { name: "Runs" }).getByRole("listitem").first();
    await expect(run).toContainText("Edited: Drafted: Rain in May", { timeout: 30_000 });
    await checkPage(page, "a workflow with a run");

    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const edit = page.getByRole("form", { name: `Edit Report ${mark}` });
    await edit.getByRole("button", { name: "Remove step 2" }).click();
    await edit.getByRole("button", { name: "Save" }).click();
    await page.getByRole("textbox", { name: "Input of the workflow" }).fill("Snow");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await expect(run).toContainText("Drafted: Snow", { timeout: 30_000 });
  } finally {
    await model.close();
  }
});
