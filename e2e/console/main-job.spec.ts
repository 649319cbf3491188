import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "@playwright/test";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { guardEndpoints } from "@/contracts/guard/guard";
import { mcpServerEndpoints } from "@/contracts/mcp/mcp-servers";
import { type Turn, turnEndpoints } from "@/contracts/turns/turns";
import { installedNode, installFilesystemServer } from "../../scripts/install-program";
import { type Callers, expect, test } from "../fixtures";
import { open, signIn } from "./check-page";
import { decideAtOnce, findLine, openLine } from "./pending-approvals";
import { waitForEnd } from "./submit-requests";

const alias = "desk";
const made = `made-${randomUUID().slice(0, 8)}.txt`;

let folder: string;
test.beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "handrail-main-job-"));
  await writeFile(path.join(folder, "note.txt"), "Buy a handrail.");
});
test.afterAll(async ({ api }) => {
  const { items: servers } = await api.admin.call(mcpServerEndpoints.list, { query: { limit: 200 } });
  for (const { id } of servers.filter((server) => server.alias === alias)) {
    await api.admin.call(mcpServerEndpoints.remove, { params: { id } });
  }
  const { items: rules } = await api.admin.call(guardEndpoints.listRules, { query: { limit: 200 } });
  for (const { id } of rules) await api.admin.call(guardEndpoints.removeRule, { params: { id } });
  await rm(folder, { recursive: true, force: true });
});

/** Adds the real filesystem server and finds its tools under Extension. */
async function addFilesystemServer(page: Page) {
  await open(page, "/mcp-servers?server=new");
  const form = page.getByRole("dialog").locator("form");
  await form.getByLabel("Alias").fill(alias);
  await form.getByLabel("Command").fill(installedNode());
  await form.getByLabel("Arguments").fill([await installFilesystemServer(), folder].join("\n"));
  // So that its reading tools run unasked.
  await form.getByLabel("Trust its hints").check();
  await form.getByRole("button", { name: "Add server" }).click();
  await expect(page.getByRole("dialog").getByText("Connected", { exact: true })).toBeVisible({ timeout: 60_000 });
  await page.keyboard.press("Escape");
  await page.getByRole("navigation").getByRole("link", { name: "Tools" }).click();
  await expect(page.getByRole("region", { name: "Extension" }).getByRole("link", { name: `${alias}__read_text_file` })).toBeVisible();
}

/** Moves a builtin tool to Extension and back. */
async function moveThereAndBack(page: Page, tool: string) {
  const tier = page.getByRole("group", { name: `Tier of ${tool}` });
  await tier.getByRole("button", { name: "Extension" }).click();
  await expect(page.getByRole("region", { name: "Extension" }).getByRole("link", { name: tool, exact: true })).toBeVisible();
  await tier.getByRole("button", { name: "Core" }).click();
  await expect(page.getByRole("region", { name: "Core" }).getByRole("link", { name: tool, exact: true })).toBeVisible();
}

/** Allow shell_execute when the command starts with ls, cat, grep or find; ask for anything else. */
async function writeTheRule(page: Page) {
  await page.getByRole("navigation").getByRole("link", { name: "Guard" }).click();
  await page.getByRole("button", { name: "New rule" }).click();
  const form = page.getByRole("dialog");
  await form.getByText("Allow", { exact: true }).first().click();
  await form.getByRole("combobox", { name: "Tool" }).fill("shell_execute");
  await form.getByLabel("Pattern").fill("^(ls|cat|grep|find)(\\s|$)");
  await expect(form.getByText("Allow shell_execute when command starts with ls, cat, grep or find.")).toBeVisible();
  await form.getByRole("combobox", { name: "Other calls of this tool" }).click();
  await page.getByRole("option", { name: "Ask a person" }).click();
  await form.getByLabel("Name").fill("Looking around");
  await form.getByRole("button", { name: "Add the rule" }).click();
  await expect(form).toBeHidden();
  await expect(page.getByRole("listitem").filter({ hasText: "Allow shell_execute when command starts with ls" })).toBeVisible();
}

type Call = { name: string; arguments: Record<string, string> };

async function submit({ agent }: Callers, conversationId: string, calls: Call[], wait: number): Promise<Turn> {
  const body = { calls: calls.map((call, place) => ({ id: `call_${place + 1}`, ...call })), wait };
  return agent.call(turnEndpoints.submit, { params: { id: conversationId }, body });
}

/** The three calls of the main job: a read, a shell call that asks, a read behind it. */
const threeCalls = (command: string): Call[] => [
  { name: `${alias}__read_text_file`, arguments: { path: path.join(folder, "note.txt") } },
  { name: "shell_execute", arguments: { command } },
  { name: "shell_execute", arguments: { command: "ls" } },
];

test("an admin sets things up in the browser, an agent's turn waits for one click, and a waiting long poll gets everything", async ({
  page,
  api,
  workspace,
}) => {
  test.setTimeout(240_000);
  await decideAtOnce(page);
  await signIn(page, workspace.owner.email, workspace.owner.password);
  await addFilesystemServer(page);
  await moveThereAndBack(page, "search_files");
  await writeTheRule(page);
  await page.getByRole("navigation").getByRole("link", { name: "Approvals" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Approvals" })).toBeVisible();

  // From here on the agent runtime has the API and its key, and nothing else.
  const { id: conversation } = await api.agent.call(conversationEndpoints.create, { body: {} });
  const listing = await api.agent.call(conversationEndpoints.tools, { params: { id: conversation }, query: { format: "openai" } });
  expect(listing.directory).toContain(`mcp:${alias}:`);
  expect(JSON.stringify(listing.tools)).not.toContain(`${alias}__read_text_file`);
  const enabling = [{ name: "enable_tool", arguments: { toolName: `${alias}__read_text_file` } }];
  const enabled = await submit(api, conversation, enabling, 20);
  expect(enabled.calls[0]?.status).toBe("succeeded");
  const after = await api.agent.call(conversationEndpoints.tools, { params: { id: conversation }, query: { format: "openai" } });
  expect(JSON.stringify(after.tools)).toContain(`${alias}__read_text_file`);

  const suspended = await submit(api, conversation, threeCalls(`touch ${made}`), 10);
  expect(suspended.status).toBe("suspended");
  expect(suspended.calls.map(({ status }) => status)).toEqual(["succeeded", "awaiting_approval", "pending"]);
  expect(suspended.calls[0]?.content).toContain("Buy a handrail.");
  const poll = waitForEnd(api.agent, suspended.id);

  // Nobody reloaded the page.
  await expect(findLine(page, `touch ${made}`)).toBeVisible();
  const card = await openLine(page, `touch ${made}`);
  await expect(card.getByRole("group", { name: "Command" })).toHaveText(`touch ${made}`);
  await expect(card.getByRole("link", { name: "Looking around: everything else" })).toBeVisible();
  await card.getByRole("button", { name: "Approve once" }).click();

  const completed = await poll;
  expect(completed.status).toBe("completed");
  expect(completed.calls.map(({ id, status }) => [id, status])).toEqual([
    ["call_1", "succeeded"],
    ["call_2", "succeeded"],
    ["call_3", "succeeded"],
  ]);
  expect(completed.calls[0]?.content).toContain("Buy a handrail.");
  expect(completed.calls[2]?.content).toContain(made);
  await expect(card.getByRole("status").filter({ hasText: "Succeeded" })).toBeVisible();

  // Rejecting does the same, with a refusal that the model can read.
  const second = await submit(api, conversation, threeCalls(`rm ${made}`), 10);
  const secondPoll = waitForEnd(api.agent, second.id);
  const secondCard = await openLine(page, `rm ${made}`);
  await secondCard.getByRole("button", { name: "Reject" }).click();
  await secondCard.getByLabel("Reason (sent to the model)").fill("Keep the file, we need it.");
  await secondCard.getByRole("button", { name: "Reject" }).click();
  const refused = await secondPoll;
  expect(refused.status).toBe("completed");
  expect(refused.calls.map(({ status }) => status)).toEqual(["succeeded", "rejected", "succeeded"]);
  expect(refused.calls[1]).toMatchObject({ isError: true, content: expect.stringContaining("Keep the file, we need it.") });
  expect(refused.calls[2]?.content, "the file is still there").toContain(made);

  // All of it stands in the audit.
  await open(page, `/audit?conversation=${conversation}`);
  const rows = page.getByRole("table", { name: "Audit events" });
  await expect(rows.getByText("Approved", { exact: true })).toHaveCount(1);
  await expect(rows.getByText("Rejected", { exact: true })).toHaveCount(1);
  await expect(rows.getByText("Call rejected")).toHaveCount(1);
  await expect(rows.getByText("Tool enabled in a conversation")).toHaveCount(1);
});

test("of two people who decide at once one is taken, and the call runs once", async ({ api }) => {
  const { id: conversation } = await api.agent.call(conversationEndpoints.create, { body: {} });
  // A file that runs by itself, so that writing it asks.
  const file = ".husky/pre-commit";
  const append = { name: "write_file", arguments: { path: file, content: "once\n", mode: "append" } };
  const asked = await submit(api, conversation, [append, { name: "read_file", arguments: { path: file } }], 10);
  const params = { id: asked.calls[0]?.approvalId ?? "" };
  const answers = await Promise.all(
    [api.approver, api.admin].map((person) => person.send(approvalEndpoints.decide, { params, body: { decision: "approve" } })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const done = await waitForEnd(api.agent, asked.id);
  expect(done.calls[1]?.content.match(/once/g)).toHaveLength(1);
});
