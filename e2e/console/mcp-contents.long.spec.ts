import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { McpServerDraft, mcpServerEndpoints } from "@/contracts/mcp/mcp-servers";
import { installedNode } from "../../scripts/install-program";
import { expect, test } from "../fixtures";
import { checkPage, open } from "./check-page";
import { submitTurnIn, waitForEnd } from "./submit-requests";

let folder: string;
test.beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "handrail-full-"));
  // The sandbox hides the checkout.
  await copyFile("server/testing/mcp/full-mcp-server.mjs", path.join(folder, "server.mjs"));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

test("a server shows its resources, prompts and instructions, and its question reaches a person with a link", async ({
  consolePage: page,
  api,
}) => {
  const program = { transport: "stdio" as const, command: installedNode(), args: [path.join(folder, "server.mjs")] };
  const draft = McpServerDraft.parse({ alias: "full", ...program, tier: "core", sessionScope: "per_conversation", trustHints: true });
  const { id } = await api.admin.call(mcpServerEndpoints.create, { body: draft });
  await open(page, `/mcp-servers?server=${id}`);
  const story = page.getByRole("dialog");
  await expect(story.getByText("Connected", { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(story.getByText("one per conversation, closed after 600 idle seconds")).toBeVisible();
  await story.getByRole("tab", { name: "Prompts" }).click();
  await expect(story.getByText("review(file)")).toBeVisible();
  await story.getByRole("tab", { name: "Resources" }).click();
  await story.getByRole("searchbox", { name: "Search resources" }).fill("first");
  await expect(story.getByText("note://one")).toBeVisible();
  await expect(story.getByText("note://listed")).toBeHidden();
  await checkPage(page, "the resources of a server");

  const conversation = await api.agent.call(conversationEndpoints.create, { body: {} });
  const call = { name: "full__visit", arguments: { url: "https://login.example.com/start?x=1" } };
  const turn = await submitTurnIn(api.agent, conversation.id, [call], 0);
  await open(page, "/approvals");
  const asked = page.getByText("asks you to open a page at login.example.com").first();
  await asked.click();
  await expect(page.getByRole("link", { name: "Open login.example.com" })).toHaveAttribute("href", "https://login.example.com/start?x=1");
  await page.getByRole("button", { name: "Done" }).click();
  const { calls } = await waitForEnd(api.agent, turn.id);
  expect(calls[0]).toMatchObject({ status: "succeeded", content: '{"action":"accept"}' });
  await api.admin.call(mcpServerEndpoints.remove, { params: { id } });
});
