import { agentEndpoints } from "@/contracts/agents/agents";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { httpToolEndpoints } from "@/contracts/tools/http-tools";
import { caller } from "../caller";
import { expect, test } from "../fixtures";
import { checkPage, fits, open, pageOfMember } from "./check-page";
import { submitTurnIn } from "./submit-requests";

const unique = (name: string) => `${name}-${Date.now()}`;

test("an admin adds an agent, ticks its tools, sees what they cost, and deletes it with a word", async ({ consolePage: page, api }) => {
  const name = unique("support");
  await open(page, "/agents");
  await expect(page.getByRole("link", { name: "default", exact: true })).toBeVisible();
  await fits(page, "the agents");
  await page.getByRole("button", { name: "New agent" }).click();
  const dialog = page.getByRole("dialog", { name: "New agent" });
  await dialog.getByLabel("Name").fill("Not A Name");
  await dialog.getByRole("button", { name: "Add agent" }).click();
  await expect(dialog.getByText("1 to 64 lower-case letters")).toBeVisible();
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Description").fill("Answers customers");
  await checkPage(page, "the form of an agent");
  await dialog.getByRole("button", { name: "Add agent" }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  const id = page.url().split("/").at(-1)?.split("?")[0] ?? "";

  await expect(page.getByText("No tools ticked: the agent gets all enabled tools.")).toBeVisible();
  await expect(page.getByText(/tokens per request/).first()).toBeVisible();
  await page.getByLabel("Search tools").fill("file");
  await page.getByRole("checkbox", { name: "read_file", exact: true }).check();
  await page.getByRole("checkbox", { name: "write_file", exact: true }).check();
  await expect(page.getByText("2 tools ticked.")).toBeVisible();
  await expect(page.getByText("2 added")).toBeVisible();
  await checkPage(page, "tools that are ticked");
  await page.getByRole("button", { name: "Save tools" }).click();
  await expect(page.getByText("2 added")).toBeHidden();
  await expect
    .poll(async () => (await api.viewer.call(agentEndpoints.getTools, { params: { id } })).tools)
    .toEqual(["read_file", "write_file"]);

  await page.getByLabel("Search tools").fill("");
  const source = page.getByRole("checkbox", { name: "All tools of builtin" });
  await source.click();
  await expect(source).toBeChecked();
  await source.click();
  await expect(page.getByText("2 removed. The agent gets all enabled tools.")).toBeVisible();
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByText("2 tools ticked.")).toBeVisible();

  await page.getByRole("button", { name: "Delete agent" }).click();
  const question = page.getByRole("dialog", { name: `Delete ${name}` });
  await expect(question).toContainText("API keys are deleted");
  await expect(question.getByRole("button", { name: "Delete agent" })).toBeDisabled();
  await question.getByRole("textbox").fill(name);
  await question.getByRole("button", { name: "Delete agent" }).click();
  await expect(page).toHaveURL(/\/agents$/);
  await expect(page.getByRole("link", { name, exact: true })).toHaveCount(0);
});

test("an agent is renamed and limited, and its key and its calls stand on its page", async ({ consolePage: page, api, productUrl }) => {
  const agent = await api.admin.call(agentEndpoints.create, { body: { name: unique("scout") } });
  const renamed = unique("ranger");
  await open(page, `/agents/${agent.id}?tab=settings`);
  await page.getByRole("textbox", { name: "Name" }).fill(renamed);
  await page.getByRole("group", { name: "Allowed effects" }).getByLabel("Destroy").click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1, name: renamed })).toBeVisible();
  expect(await api.viewer.call(agentEndpoints.get, { params: { id: agent.id } })).toMatchObject({
    name: renamed,
    allowedEffects: ["read", "write"],
  });
  await checkPage(page, "the settings of an agent");

  await page.getByRole("tab", { name: "API keys" }).click();
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Ranger key");
  await expect(dialog.getByRole("combobox", { name: "Agent" })).toHaveValue(renamed);
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = String(await dialog.getByRole("group", { name: "API key" }).textContent());
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Ranger key" })).toContainText(key.slice(0, 8));
  await checkPage(page, "the keys of an agent");

  const runtime = caller(productUrl, key);
  const conversation = await runtime.call(conversationEndpoints.create, { body: {} });
  expect(conversation.agent).toBe(renamed);
  await submitTurnIn(runtime, conversation.id, [{ name: "date_time", arguments: { timezone: "Asia/Kathmandu" } }]);
  await open(page, `/agents/${agent.id}?tab=calls`);
  await expect(page.getByRole("listitem").filter({ hasText: "Asia/Kathmandu" })).toContainText("date_time");
  await checkPage(page, "the recent calls of an agent");
  await page.getByRole("tab", { name: "API keys" }).click();
  await page.getByRole("button", { name: "Revoke Ranger key" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Ranger key" })).toContainText("Revoked");
  await api.admin.call(agentEndpoints.remove, { params: { id: agent.id } });
});

test("an agent's instructions and replies are set, an earlier version comes back, and a copy is made", async ({
  consolePage: page,
  api,
}) => {
  const name = unique("writer");
  const agent = await api.admin.call(agentEndpoints.create, { body: { name, instructions: "Be brief." } });
  await open(page, `/agents/${agent.id}?tab=settings`);
  await page.getByLabel("Instructions").fill("Be thorough.");
  await page.getByRole("group", { name: "Replies" }).getByLabel("Temperature").fill("0.2");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(`${name} saved`)).toBeVisible();
  expect(await api.viewer.call(agentEndpoints.get, { params: { id: agent.id } })).toMatchObject({
    instructions: "Be thorough.",
    modelSettings: { temperature: 0.2, maxOutputTokens: null },
  });

  await page.getByRole("tab", { name: "Versions" }).click();
  const versions = page.getByRole("list", { name: "Versions of the agent, newest first" }).getByRole("listitem");
  await expect(versions).toHaveCount(2);
  await expect(versions.nth(0)).toContainText("Changed instructions, settings of replies");
  await expect(versions.nth(0)).toContainText("In use");
  await versions.nth(0).getByRole("button", { name: "Changes in version 2" }).click();
  await expect(versions.nth(0)).toContainText("Be thorough.");
  await checkPage(page, "the versions of an agent");
  await versions.nth(1).getByRole("button", { name: "Restore version 1" }).click();
  const question = page.getByRole("dialog", { name: "Restore version 1?" });
  await expect(question).toContainText("Be brief.");
  await question.getByRole("button", { name: "Restore", exact: true }).click();
  await expect(versions).toHaveCount(3);
  await expect(versions.nth(0)).toContainText("Restored version 1");
  expect(await api.viewer.call(agentEndpoints.get, { params: { id: agent.id } })).toMatchObject({ instructions: "Be brief.", version: 3 });

  await page.getByRole("button", { name: "Duplicate" }).click();
  const dialog = page.getByRole("dialog", { name: `Duplicate ${name}` });
  await expect(dialog.getByLabel("Name")).toHaveValue(`${name}-copy`);
  await dialog.getByRole("button", { name: "Duplicate" }).click();
  await expect(page.getByRole("heading", { level: 1, name: `${name}-copy` })).toBeVisible();
});

test("a ticked tool that is disabled says so and is unticked; somebody else's newer choice is not overwritten", async ({
  consolePage: page,
  api,
}) => {
  const agent = await api.admin.call(agentEndpoints.create, { body: { name: unique("careful") } });
  const params = { id: agent.id };
  const tools = ["provider_web_search", "read_file"];
  await api.admin.call(agentEndpoints.setTools, { params, body: { tools } });
  await open(page, `/agents/${agent.id}`);
  const away = page.getByRole("region", { name: "Ticked, but unavailable" });
  await expect(away).toContainText("provider_web_search The tool is disabled.");
  await checkPage(page, "a ticked tool that is unavailable");
  await away.getByRole("button", { name: "Untick provider_web_search" }).click();
  await expect(away).toHaveCount(0);
  await api.admin.call(agentEndpoints.setTools, { params, body: { tools: ["read_file", "date_time"] } });
  await page.getByRole("button", { name: "Save tools" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "changed by somebody else" }).first()).toBeVisible();
  expect((await api.viewer.call(agentEndpoints.getTools, { params })).tools).toEqual(["date_time", "read_file"]);
  await api.admin.call(agentEndpoints.remove, { params });
});

test("Core tools over the budget are named before the selection is saved", async ({ consolePage: page, api }) => {
  const fields = Array.from({ length: 150 }, (_, place) => [
    `field_${place}`,
    { type: "string", description: `The field number ${place} of the report` },
  ]);
  const inputSchema = { type: "object", properties: Object.fromEntries(fields) };
  const tools = ["a", "b", "c", "d"].map((letter) => `budget_${letter}`);
  for (const name of tools) {
    const http = { method: "GET" as const, url: "https://api.example.com/report" };
    await api.admin.call(httpToolEndpoints.create, { body: { name, description: "A report", tier: "core", inputSchema, http } });
  }
  const { id } = await api.admin.call(agentEndpoints.create, { body: { name: unique("heavy") } });
  await open(page, `/agents/${id}`);
  await page.getByLabel("Search tools").fill("budget_");
  for (const name of tools) await page.getByRole("checkbox", { name, exact: true }).check();
  await expect(page.getByText("The least used ones stay in the directory until enabled: budget_a.")).toBeVisible();
  await checkPage(page, "tools over the budget");
  expect((await api.viewer.call(agentEndpoints.getTools, { params: { id } })).tools).toEqual([]);
  for (const name of tools) await api.admin.call(httpToolEndpoints.remove, { params: { id: name } });
  await api.admin.call(agentEndpoints.remove, { params: { id } });
});

test("the keyboard alone reaches the agents and opens one", async ({ consolePage: page }) => {
  await open(page, "/tools");
  await page.keyboard.press("g");
  await page.keyboard.press("e");
  await expect(page).toHaveURL(/\/agents$/);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "default" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Delete agent" })).toBeDisabled();
});

test("a viewer reads agents and changes none; an agent that is gone is a page that says so", async ({ browser, productUrl, api }) => {
  const page = await pageOfMember(browser, productUrl, api, "viewer");
  await open(page, "/agents");
  await expect(page.getByRole("button", { name: "New agent" })).toBeDisabled();
  await page.getByRole("link", { name: "default", exact: true }).click();
  await expect(page.getByRole("checkbox", { name: "ask_user", exact: true })).toBeDisabled();
  await page.getByRole("tab", { name: "API keys" }).click();
  await expect(page.getByText("Only admins see API keys")).toBeVisible();
  expect((await page.goto("/agents/0190d1f0-0000-7000-8000-000000000000"))?.status()).toBe(404);
  await page.context().close();
});
