import { randomUUID } from "node:crypto";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { guardEndpoints } from "@/contracts/guard/guard";
import { askBefore, expect, test } from "../fixtures";
import { checkPage, open, pageOfMember, reopen } from "./check-page";
import { findDetail, findLine, openInbox, openLine } from "./pending-approvals";
import { requestWrite, submitTurn, submitTurnIn, waitForEnd } from "./submit-requests";

askBefore("write_file", "shell_execute");

const newPath = () => `inbox-${randomUUID().slice(0, 8)}.txt`;

test("a call that asks appears in the open inbox by itself, and one click on Approve lets its turn go on", async ({
  consolePage: page,
  api,
}) => {
  const path = newPath();
  await openInbox(page, path);
  const { turn } = await requestWrite(api.agent, path, "first line\nsecond line\n");
  const line = findLine(page, path);
  await expect(line).toContainText(/left/);
  await expect(page).toHaveTitle(/^\(\d+\) Approvals/);
  // Any place of the line opens it.
  await line.getByText("write_file").click();
  const detail = findDetail(page);
  await expect(detail.getByRole("group", { name: `${path} · new file` })).toContainText("second line");
  await expect(detail.getByRole("link", { name: "write_file asks" })).toBeVisible();
  await expect(detail.getByRole("timer")).toHaveText(/left/);
  await checkPage(page, "a pending approval");

  const poll = waitForEnd(api.agent, turn.id);
  await detail.getByRole("button", { name: "Approve once" }).click();
  await expect(detail.getByRole("status").filter({ hasText: /^Succeeded in / })).toBeVisible();
  await expect(detail.getByRole("group", { name: "Result sent to the model" })).toContainText(`Created ${path}`);
  expect((await poll).calls[0]?.status).toBe("succeeded");
  await expect(line).toContainText("Approved");
  await checkPage(page, "a decided approval");
  await page.getByRole("button", { name: "Hide decided (1)" }).click();
  await expect(line).toHaveCount(0);

  await detail.getByRole("link", { name: "See the turn" }).first().click();
  await expect(page).toHaveURL(`/turns/${turn.id}`);
  await expect(page.getByText("Completed", { exact: true })).toBeVisible();
});

test("the sentence of a rejection is what the model reads", async ({ consolePage: page, api }) => {
  const path = newPath();
  const { turn } = await requestWrite(api.agent, path);
  await openInbox(page, path);
  const detail = await openLine(page, path);
  const poll = waitForEnd(api.agent, turn.id);
  await detail.getByRole("button", { name: "Reject" }).click();
  await detail.getByLabel("Reason (sent to the model)").fill("Write it to drafts/ instead.");
  await checkPage(page, "a rejection being written");
  await detail.getByRole("button", { name: "Reject" }).click();
  await expect(detail.getByText("Write it to drafts/ instead.").first()).toBeVisible();
  const done = await poll;
  expect(done.calls[0]).toMatchObject({ status: "rejected", isError: true });
  expect(done.calls[0]?.content).toContain("Write it to drafts/ instead.");
});

test("a decision can be undone for five seconds, and is sent when the page goes away", async ({ consolePage: page, api }) => {
  const path = newPath();
  const { turn, approvalId } = await requestWrite(api.agent, path);
  await open(page, `/approvals?query=${path}`);
  const detail = await openLine(page, path);
  await detail.getByRole("button", { name: "Approve once" }).click();
  await expect(findLine(page, path)).toContainText("Approving…");
  // Nothing that takes long stands in between: the decision is on its way after five seconds.
  await detail.getByRole("button", { name: "Undo" }).click();
  await expect(detail.getByRole("button", { name: "Approve once" })).toBeEnabled();
  expect((await api.viewer.call(approvalEndpoints.get, { params: { id: approvalId } })).status).toBe("pending");

  await page.keyboard.press("a");
  await expect(findLine(page, path)).toContainText("Approving…");
  await page.goto("/api/v1/health/live");
  expect((await waitForEnd(api.agent, turn.id)).calls[0]?.status).toBe("succeeded");
});

test("an answer that comes second changes nothing and says who was faster", async ({ consolePage: page, api }) => {
  const path = newPath();
  const { approvalId } = await requestWrite(api.agent, path);
  await openInbox(page, path);
  // This browser hears of nothing any more, as on a train.
  await page.route("**/api/v1/approvals/inbox?**", (route) => route.abort());
  await page.route("**/api/v1/approvals/events", (route) => route.abort());
  const detail = await openLine(page, path);
  await expect(page).toHaveURL(/approval=/);
  await reopen(page);
  await expect(detail.getByRole("button", { name: "Reject" })).toBeVisible();
  const ownDetail = `**/api/v1/approvals/${approvalId}`;
  await page.route(ownDetail, (route) => route.abort());
  await api.approver.call(approvalEndpoints.decide, { params: { id: approvalId }, body: { decision: "approve" } });
  await expect(async () => {
    // A click before the page listens is lost.
    await detail.getByRole("button", { name: "Reject" }).click();
    await expect(detail.getByRole("textbox", { name: "Reason" })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await detail.getByRole("button", { name: "Reject" }).click();
  // Only when the answer was refused may this page hear of the other one.
  await expect(detail.getByText(/already approved by The approver/)).toBeVisible();
  await page.unroute(ownDetail);
  await expect(detail.getByText("Your answer came second and changed nothing.")).toBeVisible();
  await expect(detail.getByText(/by The approver/)).toBeVisible();
});

test("an approval that nobody answers turns to expired in the open inbox", async ({ consolePage: page, api }) => {
  const before = await api.admin.call(guardEndpoints.getConfig);
  await api.admin.call(guardEndpoints.updateConfig, { body: { approvalTimeoutSeconds: 10 } });
  try {
    const path = newPath();
    await openInbox(page, path);
    const { turn } = await requestWrite(api.agent, path);
    const detail = await openLine(page, path);
    await expect(detail.getByRole("timer")).toHaveText(/0:0\d left/);
    await expect(detail.getByText("Nobody answered in time.")).toBeVisible({ timeout: 40_000 });
    expect((await waitForEnd(api.agent, turn.id)).calls[0]?.status).toBe("expired");
  } finally {
    await api.admin.call(guardEndpoints.updateConfig, { body: { approvalTimeoutSeconds: before.approvalTimeoutSeconds } });
  }
});

test("two tabs share one stream: both hear, and the one that stays goes on when the other is closed", async ({
  consolePage: page,
  api,
}) => {
  const [path, later] = [newPath(), newPath()];
  await openInbox(page, "inbox-");
  const second = await page.context().newPage();
  await openInbox(second, "inbox-");
  await requestWrite(api.agent, path);
  await expect(findLine(second, path)).toBeVisible();
  await expect(findLine(page, path)).toBeVisible();
  const takenOver = page.waitForResponse("**/api/v1/approvals/events");
  await second.close();
  await takenOver;
  await requestWrite(api.agent, later);
  await expect(findLine(page, later)).toBeVisible();
});

test("alerts are off until somebody wants them, and this browser remembers", async ({ consolePage: page }) => {
  await open(page, "/approvals");
  await page.getByRole("button", { name: "Alerts off" }).click();
  await page.getByRole("switch", { name: "Play a sound" }).click();
  await checkPage(page, "the choice of alerts");
  await reopen(page);
  await page.getByRole("button", { name: "Alerts on" }).click();
  await expect(page.getByRole("switch", { name: "Play a sound" })).toBeChecked();
  await expect(page.getByRole("switch", { name: "Show a notification" })).not.toBeChecked();
});

test("characters that hide in a command are shown, in the inbox and in the history", async ({ consolePage: page, api }) => {
  const name = newPath();
  const turn = await submitTurn(api.agent, [{ name: "shell_execute", arguments: { command: `cat \u202e${name}\u200b` } }]);
  await openInbox(page, name);
  const detail = await openLine(page, name);
  const command = detail.getByRole("group", { name: "Command" });
  await expect(command).toContainText("U+202E");
  await expect(command).toContainText("U+200B");
  await detail.getByRole("button", { name: "Reject" }).click();
  await detail.getByRole("button", { name: "Reject" }).click();
  await waitForEnd(api.agent, turn.id);
  await open(page, `/approvals?tab=history&query=${name}`);
  await expect(page.getByRole("row").filter({ hasText: name })).toContainText("\\u{202e}");
});

test("an edit is compared with the file as it is now, and the rest of the turn stands under it", async ({ consolePage: page, api }) => {
  const path = newPath();
  const { id } = await api.agent.call(conversationEndpoints.create, { body: {} });
  const first = await submitTurnIn(api.agent, id, [{ name: "write_file", arguments: { path, content: "one\ntwo\nthree\n" } }]);
  await api.approver.call(approvalEndpoints.decide, {
    params: { id: first.calls[0]?.approvalId ?? "" },
    body: { decision: "approve" },
  });
  await waitForEnd(api.agent, first.id);
  await submitTurnIn(api.agent, id, [
    { name: "write_file", arguments: { path, content: "one\n2\nthree\n" } },
    { name: "shell_execute", arguments: { command: `rm ${path}` } },
  ]);
  await openInbox(page, path);
  const detail = await openLine(page, path);
  const diff = detail.getByRole("group", { name: `${path} · compared with the file now` });
  await expect(diff).toContainText("removed: two");
  await expect(diff).toContainText("added: 2");
  await expect(detail.getByRole("list", { name: "Calls in this turn" })).toContainText(`rm ${path}`);
  await checkPage(page, "an edit as a comparison");
});

test("history finds what was answered by its words, agent, person and day, and its rows open anywhere", async ({
  consolePage: page,
  api,
}) => {
  const path = newPath();
  const { approvalId } = await requestWrite(api.agent, path);
  const body = { decision: "reject" as const, comment: "Not today." };
  const decided = await api.approver.call(approvalEndpoints.decide, { params: { id: approvalId }, body });
  const today = new Date().toISOString().slice(0, 10);
  await open(page, `/approvals?tab=history&status=rejected&tool=write_file&query=${path}&by=${decided.decidedBy?.id}&from=${today}`);
  const row = page.getByRole("row").filter({ hasText: path });
  await expect(row).toContainText("Rejected");
  await checkPage(page, "the history of approvals");
  // The last cell is no link, and opens the row all the same.
  await row.getByRole("cell").last().click();
  const story = page.getByRole("dialog");
  await expect(story.getByText("The approver rejected")).toBeVisible();
  await expect(story.getByText("Not today.").first()).toBeVisible();
  await checkPage(page, "a decided approval beside the history");
  await page.getByRole("button", { name: "Close" }).click();

  await page.getByRole("combobox", { name: "Outcome" }).click();
  await page.getByRole("option", { name: "Approved" }).click();
  await expect(page).toHaveURL(/status=approved/);
  await expect(row).toHaveCount(0);
});

test("a viewer reads what is pending and cannot answer", async ({ browser, productUrl, api }) => {
  const path = newPath();
  await requestWrite(api.agent, path);
  const page = await pageOfMember(browser, productUrl, api, "viewer");
  await openInbox(page, path);
  const detail = await openLine(page, path);
  await expect(detail.getByRole("button", { name: "Approve once" })).toBeDisabled();
  await expect(detail.getByRole("group", { name: "Decision" }).getByRole("note", { name: /Viewers can't do this/ })).toBeVisible();
  await expect(findLine(page, path).getByRole("checkbox")).toBeDisabled();
  await page.context().close();
});
