import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import type { Approval } from "@/contracts/approvals/approvals";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import type { Decision } from "@/contracts/decisions/decision";
import type { Effect, SandboxStatus } from "@/contracts/decisions/effects";
import { askBefore, expect, test } from "../fixtures";
import { checkPage, fits } from "./check-page";
import { openInbox, openLine } from "./pending-approvals";
import { requestWrite, submitTurn, submitTurnIn, waitForEnd } from "./submit-requests";

askBefore("write_file", "shell_execute");

const noSandbox: SandboxStatus = {
  setting: "auto",
  isOn: false,
  kind: null,
  sentence: "Commands are not confined because bubblewrap is not installed. Install it: apt install bubblewrap.",
};

/** The inbox, where the approval with this name in its arguments has these parts of a decision, whatever sandbox the host has. */
async function openInboxWith(page: Page, name: string, decision: Pick<Decision, "effects" | "sandboxed">) {
  await page.route("**/api/v1/sandbox", (route) => route.fulfill({ json: noSandbox }));
  await page.route(/\/api\/v1\/approvals\/[0-9a-f-]{36}$/, async (route) => {
    const response = await route.fetch();
    const approval: Approval = await response.json();
    await route.fulfill({ response, json: { ...approval, decision: { ...approval.decision, ...decision } } });
  });
  await openInbox(page, name);
}

/** An effect that these words of the command tell. */
function effectOf(command: string, words: string, kind: Effect["kind"], target: Effect["target"], more: Partial<Effect> = {}): Effect {
  const start = command.indexOf(words);
  return { kind, target, ...more, evidence: { argument: "/command", start, end: start + words.length } };
}

test("a card says what its call does, what it wants out of the sandbox for, and which words say so", async ({ consolePage: page, api }) => {
  const folder = `effects-${randomUUID().slice(0, 8)}`;
  const command = `npm install && rm -rf ${folder}`;
  const network = { where: "outside", host: "registry.npmjs.org" } as const;
  await openInboxWith(page, folder, {
    sandboxed: true,
    effects: [
      effectOf(command, "npm install", "connect", network),
      effectOf(command, `rm -rf ${folder}`, "delete", { where: "inside", path: folder }, { recursive: true }),
      ...["a", "b", "c", "d", "e", "f"].map((path) => effectOf(command, "npm", "read", { where: "inside", path })),
    ],
  });
  await submitTurn(api.agent, [{ name: "shell_execute", arguments: { command } }]);
  const card = await openLine(page, folder);
  const effects = card.getByRole("list", { name: "Effects of this call" }).getByRole("listitem");
  await expect(effects.first()).toHaveText(`Deletes ${folder} and everything in it`);
  await expect(effects.nth(1)).toHaveText("Connects to registry.npmjs.org");
  await expect(effects).toHaveCount(6);
  await card.getByRole("button", { name: "and 2 more" }).click();
  await expect(effects).toHaveCount(8);
  await expect(card.getByText("Destructive")).toBeVisible();
  await expect(card.getByText("Access outside the sandbox: network to registry.npmjs.org")).toBeVisible();
  await expect(card.getByText("Approval gives only this access, for this call.")).toBeVisible();
  await expect(card.getByRole("group", { name: "Command" })).toHaveText(command);
  await checkPage(page, "a card with effects");

  await card.locator("mark").filter({ hasText: "install" }).focus();
  await page.keyboard.press("Tab");
  await expect(card.locator("mark").filter({ hasText: folder })).toBeFocused();
  await expect(page.getByRole("tooltip")).toHaveText(`Deletes ${folder} and everything in it`);
});

test("without the sandbox, approving in the conversation is the first button, and the card says why there is none", async ({
  consolePage: page,
  api,
}) => {
  const name = `effects-${randomUUID().slice(0, 8)}`;
  const calls = [{ name: "shell_execute", arguments: { command: `touch ${name}` } }];
  await openInboxWith(page, name, {
    sandboxed: false,
    effects: [
      { kind: "write", target: { where: "inside", path: name }, evidence: { argument: "/command", start: 6, end: 6 + name.length } },
    ],
  });
  const { id } = await api.agent.call(conversationEndpoints.create, { body: {} });
  const turn = await submitTurnIn(api.agent, id, calls);
  const card = await openLine(page, name);
  await expect(card.getByText("Install it: apt install bubblewrap.")).toBeVisible();
  const buttons = card.getByRole("button", { name: /^(Allow|Approve|Reject)/ });
  await expect(buttons).toHaveText(["Allow this exact call in this conversation", "Approve once", "Reject"]);
  await fits(page, "a card without the sandbox");

  await page.keyboard.press("c");
  await expect(card.getByRole("status").filter({ hasText: "Succeeded" })).toBeVisible();
  expect((await waitForEnd(api.agent, turn.id)).calls[0]?.status).toBe("succeeded");
  expect((await submitTurnIn(api.agent, id, calls)).calls[0]?.status, "the same call again").toBe("succeeded");
  expect((await submitTurn(api.agent, calls)).status, "the same call in another conversation").toBe("suspended");
});

test("a call that names no effect keeps the effect of its tool, and approving once is the first button", async ({
  consolePage: page,
  api,
}) => {
  const path = `effects-${randomUUID().slice(0, 8)}.txt`;
  await openInboxWith(page, path, { sandboxed: undefined, effects: undefined });
  await requestWrite(api.agent, path);
  const card = await openLine(page, path);
  await expect(card.getByText("Write", { exact: true })).toBeVisible();
  await expect(card.getByRole("list", { name: "Effects of this call" })).toHaveCount(0);
  await expect(card.getByRole("button", { name: /^(Allow|Approve|Reject)/ })).toHaveText([
    "Approve once",
    "Allow this exact call in this conversation",
    "Reject",
  ]);
});
