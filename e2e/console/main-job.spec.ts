import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { conversationEndpoints } from "@/contracts/conversations";
import { guardEndpoints } from "@/contracts/guard";
import { mcpServerEndpoints } from "@/contracts/mcp-servers";
import { toolEndpoints } from "@/contracts/tools";
import { type SubmittedCall, type Turn, turnEndpoints } from "@/contracts/turns";
import { expect, test } from "../fixtures";
import { adminEmail, adminPassword } from "../product";
import { endOf } from "./ask-for";
import { open, signIn } from "./look-closely";

const filesystemServer = path.resolve(import.meta.dirname, "../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");

test("an admin sets the tools up, an agent works with a key alone, an approver clicks once, and the turn goes on by itself", async ({
  page,
  api,
}) => {
  test.setTimeout(240_000);
  const folder = await mkdtemp(path.join(tmpdir(), "handrail-main-job-"));
  await writeFile(path.join(folder, "hello.txt"), "hello from the folder");
  try {
    // In the browser: sign in, add the real filesystem server, see its tools under Extension.
    await signIn(page, adminEmail, adminPassword);
    await open(page, "/mcp-servers");
    await page.getByRole("button", { name: "Add server" }).first().click();
    await page.getByRole("button", { name: /^Filesystem/ }).click();
    const form = page.getByRole("dialog").locator("form");
    await form.getByLabel("Alias").fill("fs");
    await form.getByLabel("Command").fill(process.execPath);
    await form.getByLabel("Arguments").fill([filesystemServer, folder].join("\n"));
    await form.getByRole("button", { name: "Add server" }).click();
    await expect(page.getByRole("dialog").getByText("Connected", { exact: true })).toBeVisible({ timeout: 60_000 });
    await page.keyboard.press("Escape");
    await open(page, "/tools");
    const extension = page.getByRole("region", { name: "Extension" });
    await expect(extension.getByRole("link", { name: "fs__read_text_file" })).toBeVisible();

    // Move a builtin tool to Extension and back.
    const tier = page.getByRole("group", { name: "Tier of date_time" });
    await tier.getByRole("button", { name: "Extension" }).click();
    await expect(extension.getByRole("link", { name: "date_time" })).toBeVisible();
    await tier.getByRole("button", { name: "Core" }).click();
    await expect(page.getByRole("region", { name: "Core" }).getByRole("link", { name: "date_time" })).toBeVisible();
    await expect.poll(async () => (await api.admin.call(toolEndpoints.get, { params: { id: "date_time" } })).tier).toBe("core");

    // Write the rule: allow shell_execute when the command starts with ls, cat, grep or find; ask for anything else.
    await open(page, "/guard");
    await page.getByRole("button", { name: "New rule" }).click();
    const editor = page.getByRole("dialog");
    await editor.getByLabel("Tool").fill("shell_execute");
    await editor.getByLabel("Pattern").fill("^(ls|cat|grep|find)(\\s|$)");
    await editor.getByText("Allow", { exact: true }).first().click();
    await editor.getByRole("combobox", { name: "Other calls of this tool" }).click();
    await page.getByRole("option", { name: /^Ask a person/ }).click();
    await editor.getByLabel("Name").fill("Read-only shell");
    await expect(editor.getByText("Covers shell_execute")).toBeVisible();
    await editor.getByRole("button", { name: "Add the rule" }).click();
    await expect(editor).toBeHidden();

    // With the agent key alone.
    const { id } = await api.agent.call(conversationEndpoints.create, { body: {} });
    const listing = await api.agent.call(conversationEndpoints.tools, { params: { id }, query: { format: "openai" } });
    expect(listing.directory).toContain("fs__read_text_file");
    const submit = (...calls: Omit<SubmittedCall, "id">[]): Promise<Turn> => {
      const numbered = calls.map((call, place) => ({ id: `call_${place + 1}`, ...call }));
      return api.agent.call(turnEndpoints.submit, { params: { id }, body: { calls: numbered } });
    };
    expect(await submit({ name: "enable_tool", arguments: { toolName: "fs__read_text_file" } })).toMatchObject({ status: "completed" });
    const allowed = await submit({ name: "shell_execute", arguments: { command: "ls -la" } });
    expect(allowed.calls[0]?.status).toBe("succeeded");

    await open(page, "/approvals");
    const threeCalls = (file: string) =>
      submit(
        { name: "fs__read_text_file", arguments: { path: path.join(folder, "hello.txt") } },
        { name: "shell_execute", arguments: { command: `echo made > ${file}` } },
        { name: "read_file", arguments: { path: file } },
      );
    const asked = await threeCalls("approved.txt");
    expect(asked.status).toBe("suspended");
    expect(asked.calls.map(({ status }) => status)).toEqual(["succeeded", "awaiting_approval", "pending"]);
    expect(asked.calls[0]?.content).toContain("hello from the folder");

    // The question is in the open inbox without a reload; one click, and the poll that was waiting has everything.
    const poll = endOf(api.agent, asked.id);
    const card = page.getByRole("article").filter({ hasText: "approved.txt" });
    await expect(card.getByText("echo made > approved.txt")).toBeVisible();
    await card.getByRole("button", { name: "Approve" }).click();
    const done = await poll;
    expect(done.status).toBe("completed");
    expect(done.calls.map(({ status }) => status)).toEqual(["succeeded", "succeeded", "succeeded"]);
    expect(done.calls[2]?.content).toContain("made");

    // Rejecting does the same, with a refusal that the model can read.
    const other = await threeCalls("rejected.txt");
    const refused = endOf(api.agent, other.id);
    const otherCard = page.getByRole("article").filter({ hasText: "rejected.txt" });
    await otherCard.getByRole("button", { name: "Reject" }).click();
    await otherCard.getByLabel("What should the agent know?").fill("Ask me first.");
    await otherCard.getByRole("button", { name: "Reject the call" }).click();
    const ended = await refused;
    expect(ended.calls.map(({ status }) => status)).toEqual(["succeeded", "rejected", "failed"]);
    expect(ended.calls[1]?.content).toContain("Ask me first.");
  } finally {
    const { items: servers } = await api.admin.call(mcpServerEndpoints.list);
    for (const server of servers.filter(({ alias }) => alias === "fs")) {
      await api.admin.call(mcpServerEndpoints.remove, { params: { id: server.id } });
    }
    const { items: rules } = await api.admin.call(guardEndpoints.listRules);
    for (const rule of rules) await api.admin.call(guardEndpoints.removeRule, { params: { id: rule.id } });
    await rm(folder, { recursive: true, force: true });
  }
});
