import type { z } from "zod";
import { agentEndpoints } from "@/contracts/agents/agents";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { type HookDraft, hookEndpoints } from "@/contracts/hooks/hooks";
import { turnEndpoints } from "@/contracts/turns/turns";
import { askBefore, type Callers, expect, test } from "../fixtures";
import { checkPage, fits, open, pageOfMember } from "./check-page";

askBefore("write_file");

const name = "No digits";

async function removeHooks(api: Callers) {
  const { items } = await api.admin.call(hookEndpoints.list, { query: { limit: 200 } });
  for (const { id } of items) await api.admin.call(hookEndpoints.remove, { params: { id } });
}
test.afterEach(({ api }) => removeHooks(api));

/** An agent whose calls only the hooks of this journey touch, and a way to make one. */
async function stage(api: Callers) {
  await removeHooks(api);
  const agent = await api.admin.call(agentEndpoints.create, { body: { name: `digits-${Date.now()}` } });
  const { id } = await api.admin.call(conversationEndpoints.create, { body: { agent: agent.id } });
  const calls = [{ id: "c", name: "date_time", arguments: { timezone: "UTC" } }];
  return { agent, submit: () => api.admin.call(turnEndpoints.submit, { params: { id }, body: { calls } }) };
}

test("an admin writes a hook, sees on a recorded call what it does, and saves it", async ({ consolePage: page, api }) => {
  const { agent, submit } = await stage(api);
  expect((await submit()).calls).toMatchObject([{ name: "date_time", status: "succeeded" }]);
  await open(page, "/hooks");
  await expect(page.getByText("No hooks yet")).toBeVisible();
  await checkPage(page, "hooks, none yet");
  await page.getByRole("button", { name: "Add hook" }).click();
  const editor = page.getByRole("dialog");
  await editor.getByRole("button", { name: "Add the hook" }).click();
  await expect(editor.getByLabel("Name"), "what is missing is said where it is missing").toHaveAttribute("aria-invalid", "true");
  await editor.getByLabel("Name").fill(name);
  await editor.getByRole("combobox", { name: "When" }).click();
  await page.getByRole("option", { name: "After a tool" }).click();
  await editor.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: agent.name }).click();
  await editor.getByLabel("Pattern").fill("\\d(");
  const trial = editor.getByRole("region", { name: "Try it out" });
  await expect(trial.getByText("missing closing )")).toBeVisible();
  await editor.getByLabel("Pattern").fill("\\d");
  await editor.getByLabel("Replacement").fill("#");
  await expect(trial.getByText("Changed", { exact: true })).toBeVisible();
  await expect(trial.getByRole("group", { name: "After" })).toContainText("##");
  await checkPage(page, "a hook tried out on a recorded call");
  await editor.getByRole("button", { name: "Add the hook" }).click();
  await expect(editor).toBeHidden();
  await expect(page.getByRole("list", { name: "Hooks in order" }).getByRole("link")).toHaveText([name]);
  expect((await submit()).calls[0]?.content).toContain("##");
});

test("what hooks changed stands beside what the model sent, on the approval and in the turn", async ({ consolePage: page, api }) => {
  const { agent } = await stage(api);
  const match = { tool: "write_file", agentId: agent.id };
  const action = { type: "set", pointer: "/path", value: "acme/report.md" } as const;
  await api.admin.call(hookEndpoints.create, { body: { name: "Own folder", event: "before_tool", match, action } });
  const { id } = await api.admin.call(conversationEndpoints.create, { body: { agent: agent.id } });
  const calls = [{ id: "c", name: "write_file", arguments: { path: "report.md", content: "x" } }];
  const turn = await api.admin.call(turnEndpoints.submit, { params: { id }, body: { calls } });
  const approvalId = turn.calls[0]?.approvalId ?? "";
  const approval = await api.viewer.call(approvalEndpoints.get, { params: { id: approvalId } });
  expect(approval).toMatchObject({ arguments: { path: "acme/report.md" }, sentArguments: { path: "report.md" } });

  await open(page, `/approvals?approval=${approvalId}`);
  const changed = page.getByRole("region", { name: "Changes by hooks" });
  await expect(changed).toContainText("Changed by the hook Own folder");
  await expect(changed).toContainText(/report\.md\s*→\s*acme\/report\.md/);
  await checkPage(page, "an approval of a call that a hook changed");
  await open(page, `/turns/${turn.id}`);
  await expect(page.getByRole("region", { name: "Changes by hooks" })).toContainText("acme/report.md");
  await fits(page, "a turn with a call that a hook changed");
  await api.admin.call(turnEndpoints.cancel, { params: { id: turn.id } });
});

test("hooks are put in order, looked after and removed; a viewer only looks on", async ({
  consolePage: page,
  api,
  browser,
  productUrl,
}) => {
  const { agent, submit } = await stage(api);
  const add = (body: z.input<typeof HookDraft>) => api.admin.call(hookEndpoints.create, { body });
  const match = { agentId: agent.id };
  await add({ name, event: "after_tool", match, action: { type: "redact", pattern: "\\d", replacement: "#" } });
  await add({ name: "Count", event: "after_tool", match, action: { type: "count_tokens" }, order: 500 });
  await open(page, "/hooks");
  const list = page.getByRole("list", { name: "Hooks in order" });
  await expect(list.getByRole("link")).toHaveText([name, "Count"]);
  await page.getByRole("button", { name: "Move Count up" }).click();
  await expect(list.getByRole("link")).toHaveText(["Count", name]);
  await expect.poll(async () => (await submit()).calls[0]?.hooks?.map((step) => step.name)).toEqual(["Count", name]);
  await checkPage(page, "hooks in their order");

  await page.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Its runs" }).click();
  const runs = page.getByRole("list", { name: "Runs, newest first" });
  await expect(runs.getByRole("listitem").first()).toContainText("Changed");
  await checkPage(page, "runs of a hook");
  await runs.getByRole("link", { name: "Turn" }).first().click();
  await expect(page.getByRole("list", { name: "Hooks" }).getByText(name)).toBeVisible();

  await open(page, "/hooks");
  await page.getByRole("switch", { name: `${name} is on` }).click();
  await expect.poll(async () => (await submit()).calls[0]?.content).not.toContain("##");

  const viewer = await pageOfMember(browser, productUrl, api, "viewer");
  await open(viewer, "/hooks");
  await expect(viewer.getByRole("switch", { name: `${name} is on` })).toBeDisabled();
  await viewer.getByRole("link", { name, exact: true }).click();
  await expect(viewer.getByRole("dialog").getByRole("button", { name: "Save" })).toBeDisabled();
  await viewer.context().close();

  await page.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove hook" }).click();
  await expect(list.getByRole("link")).toHaveText(["Count"]);
});
