import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { approvalEndpoints } from "@/contracts/approvals";
import { guardEndpoints } from "@/contracts/guard";
import { expect, test } from "../fixtures";
import { askToWrite, endOf, submitTurn } from "./ask-for";
import { lookClosely, open, pageOfMember, reopen } from "./look-closely";

const newPath = () => `inbox-${randomUUID().slice(0, 8)}.txt`;
/** The card of the call that writes this file. */
const cardOf = (page: Page, path: string): Locator => page.getByRole("article").filter({ hasText: path });

/** The inbox, listening. */
async function openInbox(page: Page) {
  const listening = page.waitForResponse("**/api/v1/approvals/events");
  await open(page, "/approvals");
  await listening;
}

test("a call that asks appears in the open inbox by itself, and one click on Approve lets its turn go on", async ({
  consolePage: page,
  api,
}) => {
  await openInbox(page);
  const path = newPath();
  const { turn } = await askToWrite(api.agent, path, "first line\nsecond line\n");
  const card = cardOf(page, path);
  await expect(card).toBeVisible();
  await expect(page).toHaveTitle(/^\(\d+\) Approvals/);
  await expect(card.getByRole("group", { name: "content · 2 lines, 23 bytes" })).toHaveText("first line\nsecond line\n");
  await expect(card.getByText("No rule matches, and write_file can change things.")).toBeVisible();
  await expect(card.getByRole("timer")).toHaveText(/left/);
  await lookClosely(page, "a waiting approval");

  const poll = endOf(api.agent, turn.id);
  await card.getByRole("button", { name: "Approve" }).click();
  await expect(card.getByRole("status")).toContainText("Approved, the turn goes on.");
  const done = await poll;
  expect(done.status).toBe("completed");
  expect(done.calls[0]?.status).toBe("succeeded");
  await lookClosely(page, "an answered approval");

  await card.getByRole("link", { name: "See the turn" }).click();
  await expect(page).toHaveURL(`/turns/${turn.id}`);
  await expect(page.getByText("Completed", { exact: true })).toBeVisible();
});

test("the sentence of a rejection is what the model reads", async ({ consolePage: page, api }) => {
  const path = newPath();
  const { turn } = await askToWrite(api.agent, path);
  await open(page, "/approvals");
  const card = cardOf(page, path);
  const poll = endOf(api.agent, turn.id);
  await card.getByRole("button", { name: "Reject" }).click();
  await expect(card.getByText("The model reads this sentence as the result of its call")).toBeVisible();
  await card.getByLabel("What should the agent know?").fill("Write it to drafts/ instead.");
  await lookClosely(page, "a rejection being written");
  await card.getByRole("button", { name: "Reject the call" }).click();
  await expect(card.getByRole("status")).toContainText("Rejected");
  const done = await poll;
  expect(done.calls[0]).toMatchObject({ status: "rejected", isError: true });
  expect(done.calls[0]?.content).toContain("Write it to drafts/ instead.");
});

test("keys act on the approval in focus and on no other", async ({ consolePage: page, api }) => {
  const [first, second] = [newPath(), newPath()];
  await askToWrite(api.agent, first);
  const { turn } = await askToWrite(api.agent, second);
  await open(page, "/approvals");
  await expect(cardOf(page, second)).toBeVisible();

  // Nothing is in focus: a stray key answers nothing.
  await page.keyboard.press("a");
  await expect(cardOf(page, second).getByRole("button", { name: "Approve" })).toBeEnabled();

  await cardOf(page, first).focus();
  await page.keyboard.press("j");
  await expect(cardOf(page, second)).toBeFocused();
  await page.keyboard.press("r");
  await expect(cardOf(page, second).getByRole("textbox")).toBeFocused();
  await page.keyboard.type("a");
  await page.keyboard.press("Escape");
  await expect(cardOf(page, second).getByRole("button", { name: "Reject" })).toBeFocused();
  await page.keyboard.press("k");
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await expect(cardOf(page, second).getByRole("status")).toContainText("Approved");
  await expect(cardOf(page, second)).toBeFocused();
  await expect(cardOf(page, first).getByRole("button", { name: "Approve" })).toBeEnabled();
  expect((await endOf(api.agent, turn.id)).calls[0]?.status).toBe("succeeded");

  // The same key again does not go on to the next one.
  await page.keyboard.press("a");
  await expect(cardOf(page, first).getByRole("button", { name: "Approve" })).toBeEnabled();

  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  const story = page.getByRole("dialog");
  await expect(story.getByText("Its place in the turn")).toBeVisible();
  await expect(page).toHaveURL(/approval=/);
  await lookClosely(page, "the story of an approval");
  await page.keyboard.press("Escape");
  await expect(story).toBeHidden();
  await expect(page).toHaveURL(/\/approvals$/);
});

test("an answer that comes second changes nothing and says who was faster", async ({ consolePage: page, api }) => {
  const path = newPath();
  const { approvalId } = await askToWrite(api.agent, path);
  await open(page, "/approvals");
  const card = cardOf(page, path);
  await expect(card).toBeVisible();
  // This browser hears of nothing any more, as on a train.
  await page.route("**/api/v1/approvals?**", (route) => route.abort());
  await page.route("**/api/v1/approvals/events", (route) => route.abort());
  await reopen(page);
  await expect(card).toBeVisible();
  await api.approver.call(approvalEndpoints.decide, { params: { id: approvalId }, body: { decision: "approve" } });
  await card.getByRole("button", { name: "Reject" }).click();
  await card.getByRole("button", { name: "Reject the call" }).click();
  await expect(card.getByText("Your answer came second and changed nothing.")).toBeVisible();
  await expect(card.getByText(/by The approver/)).toBeVisible();
});

test("an approval that nobody answers turns to expired in the open inbox", async ({ consolePage: page, api }) => {
  const before = await api.admin.call(guardEndpoints.getConfig);
  await api.admin.call(guardEndpoints.updateConfig, { body: { approvalTimeoutSeconds: 10 } });
  try {
    await openInbox(page);
    const path = newPath();
    const { turn } = await askToWrite(api.agent, path);
    const card = cardOf(page, path);
    await expect(card.getByRole("timer")).toHaveText(/0:0\d left/);
    await expect(card.getByText("Nobody answered in time.")).toBeVisible({ timeout: 40_000 });
    expect((await endOf(api.agent, turn.id)).calls[0]?.status).toBe("expired");
  } finally {
    await api.admin.call(guardEndpoints.updateConfig, { body: { approvalTimeoutSeconds: before.approvalTimeoutSeconds } });
  }
});

test("two tabs share one stream: both hear, and the one that stays goes on when the other is closed", async ({
  consolePage: page,
  api,
}) => {
  await openInbox(page);
  const second = await page.context().newPage();
  await openInbox(second);
  const [path, later] = [newPath(), newPath()];
  await askToWrite(api.agent, path);
  await expect(cardOf(second, path)).toBeVisible();
  await expect(cardOf(page, path)).toBeVisible();
  const takenOver = page.waitForResponse("**/api/v1/approvals/events");
  await second.close();
  await takenOver;
  await askToWrite(api.agent, later);
  await expect(cardOf(page, later)).toBeVisible();
});

test("alerts are off until somebody wants them, and this browser remembers", async ({ consolePage: page }) => {
  await open(page, "/approvals");
  await page.getByRole("button", { name: "Alerts off" }).click();
  await page.getByRole("switch", { name: "Play a sound" }).click();
  await lookClosely(page, "the choice of alerts");
  await reopen(page);
  await page.getByRole("button", { name: "Alerts on" }).click();
  await expect(page.getByRole("switch", { name: "Play a sound" })).toBeChecked();
  await expect(page.getByRole("switch", { name: "Show a notification" })).not.toBeChecked();
});

test("characters that hide in a command are shown", async ({ consolePage: page, api }) => {
  const name = newPath();
  await submitTurn(api.agent, [{ name: "shell_execute", arguments: { command: `cat \u202e${name}\u200b` } }]);
  await open(page, "/approvals");
  const command = cardOf(page, name).getByRole("group", { name: "Command" });
  await expect(command).toContainText("U+202E");
  await expect(command).toContainText("U+200B");
});

test("history finds what was answered, and its story says by whom", async ({ consolePage: page, api }) => {
  const path = newPath();
  const { approvalId } = await askToWrite(api.agent, path);
  const body = { decision: "reject" as const, comment: "Not today." };
  await api.approver.call(approvalEndpoints.decide, { params: { id: approvalId }, body });
  await open(page, "/approvals?tab=history&status=rejected&tool=write_file");
  const row = page.getByRole("row").filter({ hasText: path });
  await expect(row).toContainText("Rejected");
  await lookClosely(page, "the history of approvals");
  await row.getByRole("link").click();
  const story = page.getByRole("dialog");
  await expect(story.getByText("The approver rejected")).toBeVisible();
  await expect(story.getByText("Not today.").first()).toBeVisible();
  await page.getByRole("button", { name: "Close" }).click();

  await page.getByRole("combobox", { name: "Outcome" }).click();
  await page.getByRole("option", { name: "Approved" }).click();
  await expect(page).toHaveURL(/status=approved/);
  await expect(row).toHaveCount(0);
});

test("a viewer reads what waits and cannot answer", async ({ browser, productUrl, api }) => {
  const path = newPath();
  await askToWrite(api.agent, path);
  const page = await pageOfMember(browser, productUrl, api, "viewer");
  await open(page, "/approvals");
  await expect(cardOf(page, path).getByRole("button", { name: "Approve" })).toBeDisabled();
  await expect(cardOf(page, path).getByRole("note", { name: /Your role, viewer, does not include this/ })).toBeVisible();
  await page.context().close();
});
