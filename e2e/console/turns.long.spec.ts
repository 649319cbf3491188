import { randomUUID } from "node:crypto";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { toolEndpoints } from "@/contracts/tools/tools";
import { askBefore, expect, test } from "../fixtures";
import { checkPage, fits, open, pageOfMember, reopen } from "./check-page";
import { startLongTurn, submitTurn, submitTurnIn, waitForEnd } from "./submit-requests";

askBefore("write_file", "shell_execute");

test("a suspended turn goes on before one's eyes when somebody answers", async ({ consolePage: page, api }) => {
  const path = `turn-${randomUUID().slice(0, 8)}.txt`;
  const turn = await submitTurn(api.agent, [
    { name: "date_time" },
    { name: "write_file", arguments: { path, content: "Hello" } },
    { name: "read_file", arguments: { path } },
  ]);
  await open(page, `/turns/${turn.id}`);
  const steps = page.getByRole("article");
  await expect(steps).toHaveCount(3);
  await expect(steps.nth(0)).toContainText("Succeeded");
  await expect(steps.nth(1)).toContainText("Needs approval");
  await expect(steps.nth(2)).toContainText("Not started");
  await steps.nth(0).getByRole("button", { name: "Why" }).click();
  await expect(steps.nth(0).getByText("None matched")).toBeVisible();
  const story = page.getByRole("list", { name: "Timeline" });
  await expect(story.getByText("starts after approval")).toBeVisible();
  await checkPage(page, "a suspended turn");

  const approvalId = turn.calls[1]?.approvalId ?? "";
  await api.approver.call(approvalEndpoints.decide, {
    params: { id: approvalId },
    body: { decision: "approve", comment: "Only this once." },
  });
  await expect(steps.nth(1)).toContainText("Succeeded");
  await expect(steps.nth(2).getByRole("group", { name: "Result sent to the model" })).toContainText("Hello");
  await expect(page.getByText("Completed", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancel turn" })).toHaveCount(0);

  // A later visitor reads the same events.
  for (const isLater of [false, true]) {
    if (isLater) await reopen(page);
    await expect(story.getByText("Waited for approval")).toBeVisible();
    await expect(story.getByText(/write_file approved by The approver after \d/)).toBeVisible();
    await expect(story.getByText("Only this once.", { exact: true })).toBeVisible();
    await expect(story.getByRole("heading", { level: 2 })).toHaveText(["Batch 1", "Batch 2"]);
  }
  await checkPage(page, "a finished turn");
});

test("a turn that was over before anybody could watch it is told from its beginning, with what ran side by side", async ({
  consolePage: page,
  api,
}) => {
  const turn = await submitTurn(api.agent, [
    { name: "no_such_tool" },
    { name: "date_time" },
    { name: "date_time", arguments: { timezone: "Asia/Tokyo" } },
  ]);
  expect(turn.status).toBe("completed");
  await open(page, `/turns/${turn.id}`);
  await expect(page.getByRole("article")).toHaveCount(3);
  await expect(page.getByRole("group", { name: "2 calls side by side" }).getByRole("article")).toHaveCount(2);
});

test("a running call is moved to the background, its turn ends without it, and a later turn tells what came of it", async ({
  consolePage: page,
  api,
}) => {
  const turn = await startLongTurn(api.agent, api.approver);
  await open(page, `/turns/${turn.id}`);
  const step = page.getByRole("article", { name: "shell_execute" });
  await expect(step.getByText("No progress reported.")).toBeVisible();
  await fits(page, "a running turn");

  const refused = "shell_execute is succeeded: only a running call can be moved to the background.";
  await page.route("**/promote", (route) => route.fulfill(conflict(refused)));
  await step.getByRole("button", { name: "Move to background" }).click();
  await expect(step.getByRole("alert")).toHaveText(refused);
  await page.unroute("**/promote");

  await step.getByRole("button", { name: "Move to background" }).click();
  await expect(step.getByText("Moved to the background by a person.")).toBeVisible();
  await expect(page.getByText("Completed", { exact: true })).toBeVisible();
  await fits(page, "a promoted call");
  await step.getByRole("link", { name: "See the job" }).click();
  await expect(page).toHaveURL(/\/turns\/jobs\?job=/);
  const story = page.getByRole("dialog", { name: "shell_execute" });
  await expect(story).toContainText("a running call that a person moved to the background");
  await checkPage(page, "a background job");
  await story.getByRole("button", { name: "Cancel job" }).click();
  await page.getByRole("dialog", { name: "Cancel this job?" }).getByRole("button", { name: "Cancel job" }).click();
  await expect(story.getByText("Cancelled", { exact: true })).toBeVisible();
  await expect(story).toContainText("not yet; with the next turn of the conversation");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("table", { name: "Background jobs" }).getByRole("row").nth(1)).toContainText("Cancelled");
  await checkPage(page, "the list of background jobs");

  const next = await submitTurnIn(api.agent, turn.conversationId, [{ name: "date_time" }]);
  await open(page, `/turns/${next.id}`);
  const told = page.getByRole("region", { name: "Background results delivered with this turn" });
  await expect(told).toContainText("shell_execute");
  await expect(told).toContainText("Cancelled");
  await fits(page, "a turn that tells of a job");
});

test("a tool's question is answered on the page of its turn, and the tool goes on with the answer", async ({ consolePage: page, api }) => {
  const { id } = await api.agent.call(conversationEndpoints.create, { body: {} });
  await submitTurnIn(api.agent, id, [{ name: "enable_tool", arguments: { toolName: "ask_user" } }]);
  const asked = { question: "Which way?", options: ["left", "right"] };
  const turn = await submitTurnIn(api.agent, id, [{ name: "ask_user", arguments: asked }], 0.5);
  await open(page, `/turns/${turn.id}`);
  const step = page.getByRole("article", { name: "ask_user" });
  await expect(step.getByRole("group", { name: "The tool asks" })).toHaveText("Which way?");
  await expect(step.getByRole("note", { name: /stays in its turn/ })).toBeVisible();
  await checkPage(page, "a question of a tool");

  const refused = "Question 0 of ask_user was answered already.";
  await page.route("**/answer", (route) => route.fulfill(conflict(refused)));
  await step.getByRole("button", { name: "left" }).click();
  await expect(step.getByRole("alert")).toHaveText(refused);
  await page.unroute("**/answer");

  await step.getByLabel("Or in your own words").fill("straight on");
  await step.getByRole("button", { name: "Answer", exact: true }).click();
  await expect(step.getByRole("group", { name: "Result sent to the model" })).toHaveText("The user answered: straight on");
  await expect(step.getByText("answered: straight on", { exact: false }).first()).toBeVisible();
  await expect(step.getByLabel("Or in your own words")).toHaveCount(0);
  await expect(page.getByText("Completed", { exact: true })).toBeVisible();
});

test("a running turn is cancelled, and a viewer may only watch it", async ({ consolePage: page, browser, productUrl, api }) => {
  const turn = await startLongTurn(api.agent, api.approver);
  const viewer = await pageOfMember(browser, productUrl, api, "viewer");
  await open(viewer, `/turns/${turn.id}`);
  await expect(viewer.getByRole("button", { name: "Move to background" })).toBeDisabled();
  await expect(viewer.getByRole("button", { name: "Cancel turn" })).toBeDisabled();

  await open(page, `/turns/${turn.id}`);
  await page.getByRole("button", { name: "Cancel turn" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel turn" }).click();
  for (const watching of [page, viewer]) await expect(watching.getByText("Cancelled", { exact: true }).first()).toBeVisible();
  expect((await waitForEnd(api.agent, turn.id)).status).toBe("cancelled");
  await viewer.context().close();
});

test("a tool that returns directly shows the user everything and the model a placeholder", async ({ consolePage: page, api }) => {
  await open(page, "/tools?tool=date_time");
  const isDirect = page.getByRole("dialog").getByRole("switch", { name: "Return directly" });
  await isDirect.click();
  await expect(page.getByRole("dialog").getByText("Returns directly")).toBeVisible();
  await fits(page, "a tool that returns directly");
  const turn = await submitTurn(api.agent, [{ name: "date_time" }]);
  await open(page, `/turns/${turn.id}`);
  const step = page.getByRole("article", { name: "date_time" });
  await expect(step.getByRole("group", { name: "Shown to the user directly" })).toContainText(/^\d{4}-/);
  await expect(step.getByRole("group", { name: "Result sent to the model" })).toContainText("was shown to the user directly");
  await fits(page, "a direct result");

  await open(page, "/tools?tool=date_time");
  await isDirect.click();
  await expect.poll(async () => (await api.admin.call(toolEndpoints.get, { params: { id: "date_time" } })).returnDirect).toBe(false);
});

/** The server's sentence when somebody else decided first. */
function conflict(detail: string) {
  return {
    status: 409,
    contentType: "application/problem+json",
    body: JSON.stringify({ type: "about:blank", title: "Conflict", status: 409, code: "conflict", detail, requestId: "r" }),
  };
}

test("a turn is cancelled, and its open approval is withdrawn", async ({ consolePage: page, api }) => {
  const turn = await submitTurn(api.agent, [{ name: "write_file", arguments: { path: "never.txt", content: "x" } }]);
  await open(page, "/turns");
  await page.getByRole("table", { name: "Turns" }).getByRole("link", { name: "write_file" }).first().click();
  await expect(page).toHaveURL(`/turns/${turn.id}`);
  await page.getByRole("button", { name: "Cancel turn" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel turn" }).click();
  await expect(page.getByText("Cancelled", { exact: true }).first()).toBeVisible();
  expect((await waitForEnd(api.agent, turn.id)).status).toBe("cancelled");
  const approval = await api.approver.call(approvalEndpoints.get, { params: { id: turn.calls[0]?.approvalId ?? "" } });
  expect(approval.status).toBe("cancelled");
});

test("the list of turns narrows by status and shows the turns of one conversation", async ({ consolePage: page, api }) => {
  const turn = await submitTurn(api.agent, [{ name: "date_time" }, { name: "date_time" }]);
  await open(page, "/turns");
  await expect(page.getByRole("row").nth(1)).toContainText("date_time ×2");
  await fits(page, "the list of turns");
  await page.getByText("Needs approval", { exact: true }).first().click();
  await expect(page).toHaveURL(/status=suspended/);
  await open(page, `/turns?conversation=${turn.conversationId}`);
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByRole("button", { name: "One conversation only" }).click();
  await expect(page).toHaveURL(/\/turns$/);
});

test("a turn that is not there is said to be so", async ({ consolePage: page }) => {
  for (const id of [randomUUID(), "not-an-id"]) {
    const response = await page.goto(`/turns/${id}`);
    expect(response?.status()).toBe(404);
  }
});
