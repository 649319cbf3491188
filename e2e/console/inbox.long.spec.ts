import { randomUUID } from "node:crypto";
import type { CDPSession, Page } from "@playwright/test";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { guardEndpoints } from "@/contracts/guard/guard";
import { askBefore, expect, test, variable } from "../fixtures";
import { productDatabase } from "../product-database";
import { checkPage, fits, open, pageOfMember } from "./check-page";
import { findDetail, findLine, openInbox, openLine } from "./pending-approvals";
import { requestWrite, submitTurn, submitTurnIn, waitForEnd } from "./submit-requests";

askBefore("write_file", "shell_execute");

const newPath = () => `inbox-${randomUUID().slice(0, 8)}.txt`;

/**
 * Copies of a pending approval straight into the database, each with a turn of its own: thousands of turns would take
 * minutes. The copies expire after it. Answers the way back.
 */
async function addCopies(approvalId: string, count: number, summary: string): Promise<() => Promise<void>> {
  const sql = await productDatabase(variable("HANDRAIL_E2E_DATA_DIR"));
  await sql`create temp table copies as
    select n, gen_random_uuid() as turn, gen_random_uuid() as call, gen_random_uuid() as approval from generate_series(1, ${count}::int) as n`;
  // Generated columns cannot be inserted.
  const columnsOf = async (table: string) => {
    const columns = await sql`select column_name as name from information_schema.columns
      where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER' order by ordinal_position`;
    return columns.map(({ name }) => String(name));
  };
  const names = sql(await columnsOf("approvals"));
  const callNames = sql(await columnsOf("tool_calls"));
  await sql.begin(async (tx) => {
    const [original] = await tx`select turn_id, call_id from approvals where id = ${approvalId}`;
    if (!original) throw new Error(`There is no approval ${approvalId}`);
    await tx`insert into turns select (jsonb_populate_record(t, jsonb_build_object('id', turn))).*
      from turns as t, copies where t.id = ${original.turn_id}`;
    await tx`insert into tool_calls (${callNames}) select ${callNames} from (
      select (jsonb_populate_record(c, jsonb_build_object('id', call, 'turn_id', turn, 'approval_id', approval))).*
      from tool_calls as c, copies where c.id = ${original.call_id}) as made`;
    await tx`insert into approvals (${names}) select ${names} from (
      select (jsonb_populate_record(a, jsonb_build_object('id', approval, 'turn_id', turn, 'call_id', call,
        'expires_at', a.expires_at + make_interval(secs => n), 'summary', ${summary} || ' ' || n, 'shape', ${summary} || ' shape ' || n % 7))).*
      from approvals as a, copies where a.id = ${approvalId}) as made`;
  });
  return async () => {
    await sql`delete from approvals where id in (select approval from copies)`;
    await sql`delete from tool_calls where id in (select call from copies)`;
    await sql`delete from turns where id in (select turn from copies)`;
    await sql.end();
  };
}

/** The head of the list with this count. */
const countOf = (page: Page, words: string) =>
  page
    .locator("main")
    .getByRole("status")
    .filter({ hasText: new RegExp(`^${words}$`) });

/** Milliseconds of processor time that the main thread of a page has taken so far. */
async function taskMs(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000;
}

async function devtoolsOf(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  return devtools;
}

test("of five thousand a few are drawn, the next to expire on top; a group is ticked together but for one exception", async ({
  consolePage: page,
  api,
}) => {
  const marker = `flood-${randomUUID().slice(0, 8)}`;
  const { turn, approvalId } = await requestWrite(api.agent, `${marker}.txt`);
  const removeCopies = await addCopies(approvalId, 5_000, marker);
  const devtools = await devtoolsOf(page);
  try {
    await openInbox(page, marker);
    const list = page.getByRole("list", { name: "Pending approvals" });
    const lines = list.getByRole("listitem");
    await expect(countOf(page, "5,001 pending")).toBeVisible();
    await expect(lines.nth(1)).toContainText(`${marker} 1`);
    expect(await lines.count(), "lines drawn").toBeLessThan(60);
    expect(await lines.first().evaluate((line) => line.getBoundingClientRect().height)).toBe(40);
    await fits(page, "an inbox of thousands");

    // The list is drawn anew, and a decision taken: neither grows with what is pending.
    await page.getByRole("tab", { name: "Always allowed" }).click();
    await expect(list).toHaveCount(0);
    const beforeRender = await taskMs(devtools);
    await page.getByRole("tab", { name: /^Pending/ }).click();
    await expect(lines.first()).toBeVisible();
    const render = (await taskMs(devtools)) - beforeRender;
    await openInbox(page, marker);
    await lines.first().getByRole("link").click();
    const detail = findDetail(page);
    await expect(detail.getByRole("group", { name: `${marker}.txt · new file` })).toBeVisible();
    const beforeDecision = await taskMs(devtools);
    await detail.getByRole("button", { name: "Approve once" }).click();
    await expect(lines.first()).toContainText("Approved");
    const decision = (await taskMs(devtools)) - beforeDecision;
    test.info().annotations.push({ type: "processor time of the main thread, ms", description: JSON.stringify({ render, decision }) });
    expect((await waitForEnd(api.agent, turn.id)).calls[0]?.status).toBe("succeeded");

    // Each page comes as the list is scrolled to it.
    await expect
      .poll(async () => {
        await list.evaluate((element) => element.parentElement?.scrollBy(0, 100_000));
        return Number(await lines.last().getAttribute("aria-posinset"));
      })
      .toBeGreaterThan(300);

    await open(page, `/approvals?query=${marker}&grouped=true`);
    const group = lines.filter({ hasText: `${marker} shape 3` });
    await group.getByRole("checkbox").check();
    await expect(countOf(page, "714 selected")).toBeVisible();
    await group.getByRole("button").click();
    await page.getByRole("checkbox", { name: `Select ${marker} 3`, exact: true }).uncheck();
    await expect(countOf(page, "713 selected")).toBeVisible();
    await checkPage(page, "a group that is open and selected but for one");
  } finally {
    await removeCopies();
  }
});

test("forty calls are approved together with one exception, which stays pending", async ({ consolePage: page, api }) => {
  const marker = `many-${randomUUID().slice(0, 8)}`;
  const turns = await Promise.all(
    Array.from({ length: 40 }, (_, place) =>
      submitTurn(api.agent, [{ name: "shell_execute", arguments: { command: `touch ${marker}-${place}.txt` } }]),
    ),
  );
  await openInbox(page, marker);
  await expect(countOf(page, "40 pending")).toBeVisible();
  await page.getByRole("checkbox", { name: "Select all" }).check();
  await expect(countOf(page, "40 selected")).toBeVisible();
  // Of forty lines only those in the window are drawn, and calls of one moment have no order.
  const line = page.getByRole("list", { name: "Pending approvals" }).getByRole("listitem").first();
  const exception = Number(/-(\d+)\.txt/.exec((await line.textContent()) ?? "")?.[1]);
  await findLine(page, `${marker}-${exception}.txt`).getByRole("checkbox").uncheck();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Approve 39 calls?" });
  await checkPage(page, "several approvals before they are decided");
  let decided = 0;
  const allDecided = page.waitForResponse(
    async (response) => {
      if (!response.url().endsWith(approvalEndpoints.decideMany.path)) return false;
      decided += ((await response.json()) as { results: unknown[] }).results.length;
      return decided === 39;
    },
    { timeout: 0 },
  );
  await dialog.getByRole("button", { name: "Approve 39" }).click();
  await allDecided;
  await expect(page.getByRole("status", { name: "Decisions" })).toContainText("Approved 39 calls.");
  await expect(countOf(page, "1 pending")).toBeVisible();
  await expect(findLine(page, `${marker}-${exception}.txt`)).toBeVisible();
  const ends = await Promise.all(turns.filter((_, place) => place !== exception).map((turn) => waitForEnd(api.agent, turn.id)));
  expect(ends.map(({ calls }) => calls[0]?.status)).toEqual(ends.map(() => "succeeded"));
  const left = await api.viewer.call(approvalEndpoints.get, { params: { id: turns[exception]?.calls[0]?.approvalId ?? "" } });
  expect(left.status).toBe("pending");
});

test("groups keep their place and their count while they are sent", async ({ consolePage: page, api }) => {
  const marker = `held-${randomUUID().slice(0, 8)}`;
  const ask = (command: string) => submitTurn(api.agent, [{ name: "shell_execute", arguments: { command } }]);
  await Promise.all(Array.from({ length: 27 }, (_, place) => ask(`touch ${marker}-${place}`)));
  await Promise.all(Array.from({ length: 3 }, (_, place) => ask(`mkdir ${marker}-${place}`)));
  await openInbox(page, marker);
  await page.getByRole("button", { name: "Group" }).click();
  const lines = page.getByRole("list", { name: "Pending approvals" }).getByRole("listitem");
  await expect(lines).toHaveCount(2);
  await expect(lines.first()).toContainText("27");
  // The second request of the batch is held until the list has been read again after the first one.
  const held = Promise.withResolvers<void>();
  let requests = 0;
  await page.route(`**${approvalEndpoints.decideMany.path}`, async (route) => {
    requests += 1;
    if (requests === 2) await held.promise;
    await route.continue();
  });
  await lines.first().getByRole("checkbox").check();
  await expect(countOf(page, "27 selected")).toBeVisible();
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  const readAgain = page.waitForResponse(async (response) => {
    if (!response.url().includes(approvalEndpoints.groups.path)) return false;
    const { total } = (await response.json()) as { total: number };
    return total === 5;
  });
  await page.getByRole("dialog").getByRole("button", { name: "Reject 27" }).click();
  await readAgain;
  await expect(countOf(page, "5 pending")).toBeVisible();
  await expect(lines.first()).toContainText("touch");
  await expect(lines.first()).toContainText("27");
  held.resolve();
  await expect(lines).toHaveCount(1);
  await expect(lines.first()).toContainText("mkdir");
  await page.unroute(`**${approvalEndpoints.decideMany.path}`);
});

test("a search drops decided rows, the head says that only a part is selected, and a note about an outage leaves with it", async ({
  browser,
  productUrl,
  api,
}) => {
  const marker = `part-${randomUUID().slice(0, 8)}`;
  const ask = (name: string) => submitTurn(api.agent, [{ name: "shell_execute", arguments: { command: `touch ${marker}-${name}` } }]);
  await Promise.all(["one", "two", "three"].map(ask));
  const page = await pageOfMember(browser, productUrl, api, "approver");
  await openInbox(page, marker);
  const detail = await openLine(page, `${marker}-one`);
  await detail.getByRole("button", { name: "Approve once" }).click();
  await expect(findLine(page, `${marker}-one`)).toContainText("Approved");
  await page.getByRole("searchbox").first().fill(`${marker}-t`);
  await expect(findLine(page, `${marker}-two`)).toBeVisible();
  await expect(findLine(page, `${marker}-one`), "a decided row that does not match").toHaveCount(0);

  const all = page.getByRole("checkbox", { name: "Select all" });
  await findLine(page, `${marker}-two`).getByRole("checkbox").check();
  await expect(all).toBeChecked({ indeterminate: true });
  await all.check();
  await expect(countOf(page, "2 selected")).toBeVisible();
  await expect(all).toBeChecked();

  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reject 2" }).click();
  const notes = page.getByRole("status", { name: "Decisions" });
  await expect(notes).toContainText("Could not send 2 decisions");
  await page.context().setOffline(false);
  await expect(notes, "the approvals say it themselves").not.toContainText("Could not send");
  await expect(findLine(page, `${marker}-two`)).toContainText("Not decided");
});

test("by keyboard alone: search, walk, select, open, reject", async ({ consolePage: page, api }) => {
  const marker = `keys-${randomUUID().slice(0, 8)}`;
  const ask = (name: string) => submitTurn(api.agent, [{ name: "shell_execute", arguments: { command: `touch ${marker}-${name}` } }]);
  const first = await ask("one");
  const second = await ask("two");
  await openInbox(page);
  await page.keyboard.press("/");
  await page.keyboard.type(marker);
  await page.keyboard.press("Escape");
  await expect(countOf(page, "2 pending")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`query=${marker}`));

  // Nothing is open: a stray key decides nothing.
  await page.keyboard.press("a");
  await page.keyboard.press("j");
  await expect(findDetail(page).getByRole("group", { name: "Command" })).toHaveText(`touch ${marker}-one`);
  await page.keyboard.press("j");
  await expect(findDetail(page).getByRole("group", { name: "Command" })).toHaveText(`touch ${marker}-two`);
  await page.keyboard.press("k");
  await expect(findDetail(page).getByRole("group", { name: "Command" })).toHaveText(`touch ${marker}-one`);
  await page.keyboard.press("a");
  expect((await waitForEnd(api.agent, first.id)).calls[0]?.status).toBe("succeeded");
  // The same key again does not go on to the next one.
  await page.keyboard.press("a");
  await expect(findLine(page, `${marker}-one`)).toContainText("Approved");

  await findLine(page, `${marker}-two`).getByRole("link").focus();
  await page.keyboard.press("x");
  await expect(countOf(page, "1 selected")).toBeVisible();
  await page.keyboard.press("r");
  await expect(page.getByRole("dialog").getByLabel("Reason (sent to the model)")).toBeFocused();
  await page.keyboard.type("Not now.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect((await waitForEnd(api.agent, second.id)).calls[0]).toMatchObject({
    status: "rejected",
    content: expect.stringContaining("Not now."),
  });
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toContainText("Undo the last decision");
});

test("on a phone the list is a page, the open approval another, and its buttons stay in view", async ({ consolePage: page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const path = newPath();
  const { turn } = await requestWrite(api.agent, path, "a line\n".repeat(200));
  await openInbox(page, path);
  const detail = await openLine(page, path);
  await expect(findLine(page, path)).toBeHidden();
  await expect(detail.getByRole("button", { name: "Approve once" })).toBeInViewport();
  await checkPage(page, "an approval on a phone");
  await page.getByRole("button", { name: "Back to the list" }).click();
  await expect(findLine(page, path)).toBeVisible();
  await openLine(page, path);
  await detail.getByRole("button", { name: "Approve once" }).click();
  expect((await waitForEnd(api.agent, turn.id)).calls[0]?.status).toBe("succeeded");
});

test("an always-allow that is refused keeps what was typed, and is never sent as a bare approval", async ({ consolePage: page, api }) => {
  const marker = `grep-${randomUUID().slice(0, 8)}`;
  const turn = await submitTurn(api.agent, [{ name: "shell_execute", arguments: { command: `echo ${marker} version | grep version` } }]);
  await openInbox(page, marker);
  const detail = await openLine(page, marker);
  await detail.getByRole("button", { name: "Always allow this" }).click();
  await detail.getByRole("combobox", { name: "Remember this decision" }).click();
  await page.getByRole("option", { name: "In this conversation" }).click();
  await detail.getByText("A pattern", { exact: true }).click();
  await expect(detail.getByLabel(/^Pattern for/)).toHaveValue(/echo.*grep/);
  await detail.getByLabel(/^Pattern for/).fill(`^echo ${marker}`);
  await expect(detail.getByText(/^Matches \d+ of the last \d+ recorded calls/)).toBeVisible();
  await expect(detail.getByText(/^This pattern does not cover the call/)).toBeVisible();
  await expect(detail.getByRole("button", { name: /^Use \^.*echo.*grep/ })).toBeVisible();
  await checkPage(page, "a pattern that is always allowed, before it is");
  await detail.getByRole("button", { name: "Approve and allow" }).click();
  await expect(detail.getByRole("alert")).toContainText("grep version");
  await expect(detail.getByLabel(/^Pattern for/)).toHaveValue(`^echo ${marker}`);
  await expect(detail.getByRole("combobox", { name: "Remember this decision" })).toHaveValue("In this conversation");
  await expect(detail.getByRole("button", { name: "Approve once" })).toHaveCount(0);
  const approvalId = turn.calls[0]?.approvalId ?? "";
  expect((await api.viewer.call(approvalEndpoints.get, { params: { id: approvalId } })).status).toBe("pending");

  await detail.getByLabel(/^Pattern for/).fill("^(echo|grep)(\\s|$)");
  await detail.getByRole("button", { name: "Approve and allow" }).click();
  expect((await waitForEnd(api.agent, turn.id)).calls[0]?.status).toBe("succeeded");
});

test("arguments are edited in a form, and what was approved is what runs", async ({ consolePage: page, api }) => {
  const path = newPath();
  const { turn } = await requestWrite(api.agent, path, "as asked\n");
  await openInbox(page, path);
  const detail = await openLine(page, path);
  await detail.getByRole("button", { name: "Edit" }).click();
  await expect(detail.getByRole("note", { name: "Change an argument first." })).toBeVisible();
  await detail.getByRole("textbox", { name: "content", exact: true }).fill("as edited\n");
  await checkPage(page, "arguments being edited");
  await detail.getByText("JSON", { exact: true }).click();
  await expect(detail.getByLabel("Arguments as JSON")).toHaveValue(/as edited/);
  await detail.getByRole("button", { name: "Approve edited" }).click();
  const done = await waitForEnd(api.agent, turn.id);
  expect(done.calls[0]).toMatchObject({ status: "succeeded", arguments: expect.objectContaining({ content: "as edited\n" }) });
});

test("a question of an agent stands in the inbox and the count, and its answer goes to the tool", async ({ consolePage: page, api }) => {
  const { id } = await api.agent.call(conversationEndpoints.create, { body: {} });
  await submitTurnIn(api.agent, id, [{ name: "enable_tool", arguments: { toolName: "ask_user" } }]);
  const question = `Which way, ${randomUUID().slice(0, 8)}?`;
  const turn = await submitTurnIn(api.agent, id, [{ name: "ask_user", arguments: { question, options: ["left", "right"] } }], 0.5);
  await openInbox(page, question.slice(0, -1));
  await expect(page).toHaveTitle(/^\(\d+\) /);
  const detail = await openLine(page, question);
  await checkPage(page, "a question in the inbox");
  await detail.getByRole("button", { name: "right" }).click();
  const done = await waitForEnd(api.agent, turn.id);
  expect(done.calls[0]).toMatchObject({ status: "succeeded", content: expect.stringContaining("right") });
  await expect(findLine(page, question)).toContainText("Answered");
});

test("without a connection nothing moves under the pointer, and the page that is chosen opens when it is back", async ({
  browser,
  productUrl,
  api,
}) => {
  const path = newPath();
  const { turn } = await requestWrite(api.agent, path);
  const page = await pageOfMember(browser, productUrl, api, "approver");
  await openInbox(page, path);
  const detail = await openLine(page, path);
  const approve = detail.getByRole("button", { name: "Approve once" });
  await detail.getByRole("button", { name: "Reject" }).click();
  await detail.getByLabel("Reason (sent to the model)").fill("half a thought");
  await page.keyboard.press("Escape");
  await expect(approve).toBeVisible();
  const before = await approve.boundingBox();
  const banner = page.getByRole("status").filter({ hasText: "No connection to the server" });
  await page.context().setOffline(true);
  await expect(banner).toBeVisible();
  expect(await approve.boundingBox()).toEqual(before);
  await page.getByRole("navigation").getByRole("link", { name: "Turns", exact: true }).click();
  await expect(banner).toContainText("The page that you chose opens when it is back.");
  await expect(page).toHaveURL(/\/approvals/);
  await checkPage(page, "a page that waits for the connection");
  await banner.getByRole("button", { name: "Stay here" }).click();
  await expect(banner).toContainText("This page updates when it is back.");
  await expect(approve).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await expect(banner).toContainText("The page that you chose opens when it is back.");
  await page.context().setOffline(false);
  await expect(page).toHaveURL(/\/turns$/);
  await expect(page.getByRole("heading", { name: "Turns", level: 1 })).toBeVisible();
  await expect(banner).toBeHidden();
  await page.goBack();
  await detail.getByRole("button", { name: "Reject" }).click();
  await expect(detail.getByLabel("Reason (sent to the model)"), "what was typed is kept").toHaveValue("half a thought");
  await api.approver.call(approvalEndpoints.decide, {
    params: { id: turn.calls[0]?.approvalId ?? "" },
    body: { decision: "reject", comment: "" },
  });
});

test("being offline and an ended session are said in words, and the way out works", async ({ browser, productUrl, api }) => {
  const path = newPath();
  const { turn } = await requestWrite(api.agent, path);
  const page = await pageOfMember(browser, productUrl, api, "approver");
  await openInbox(page, path);
  const detail = await openLine(page, path);
  await expect(detail.getByRole("button", { name: "Approve once" })).toBeVisible();
  const banner = page.getByRole("status").filter({ hasText: "No connection to the server" });
  await page.context().setOffline(true);
  await expect(banner).toBeVisible();
  await detail.getByRole("button", { name: "Approve once" }).click();
  await expect(detail.getByRole("alert")).toHaveText("The server cannot be reached. Check the connection and try again.");
  await checkPage(page, "an inbox without a connection");
  await page.context().setOffline(false);
  await expect(banner).toBeHidden();
  await expect(detail.getByRole("alert")).toBeHidden();

  await page.context().clearCookies();
  await detail.getByRole("button", { name: "Approve once" }).click();
  await expect(detail.getByRole("alert")).toHaveText("Your session has ended. Sign in again; what you typed stays here.");
  await expect(page.getByRole("button", { name: "Sign in again" })).toBeVisible();
  expect((await api.viewer.call(approvalEndpoints.get, { params: { id: turn.calls[0]?.approvalId ?? "" } })).status).toBe("pending");
  await page.context().close();
});

test("two people have to approve, and the one who asked is refused", async ({ consolePage: page, browser, productUrl, api }) => {
  const before = await api.admin.call(guardEndpoints.getConfig);
  await api.admin.call(guardEndpoints.updateConfig, { body: { requesterMayDecide: "never" } });
  const marker = `two-${randomUUID().slice(0, 8)}`;
  const rule = await api.admin.call(guardEndpoints.createRule, {
    body: {
      name: "Two people",
      tool: "shell_execute",
      pattern: marker,
      verdict: "require_approval",
      priority: 100,
      approvers: { quorum: 2 },
    },
  });
  try {
    const turn = await submitTurn(api.admin, [{ name: "shell_execute", arguments: { command: `touch ${marker}` } }]);
    await openInbox(page, marker);
    const mine = await openLine(page, marker);
    await expect(mine.getByRole("note", { name: "You asked for this call, so another person has to decide it." })).toBeVisible();
    await expect(mine.getByRole("button", { name: "Approve once" })).toBeDisabled();
    await expect(findLine(page, marker).getByRole("checkbox")).toBeDisabled();
    await expect(mine.getByText("0 of 2 approvals")).toBeVisible();
    await checkPage(page, "an approval that its requester may not decide");

    for (const votes of ["Your approval counts. 1 of 2 approvals so far.", "Succeeded in"]) {
      const voter = await pageOfMember(browser, productUrl, api, "approver");
      await openInbox(voter, marker);
      const detail = await openLine(voter, marker);
      await detail.getByRole("button", { name: "Approve once" }).click();
      await expect(detail.getByRole("status").filter({ hasText: votes })).toBeVisible();
      await voter.context().close();
    }
    expect((await waitForEnd(api.agent, turn.id)).calls[0]?.status).toBe("succeeded");
    await expect(mine.getByRole("list", { name: "Votes" }).getByRole("listitem")).toHaveCount(2);
  } finally {
    await api.admin.call(guardEndpoints.removeRule, { params: { id: rule.id } });
    await api.admin.call(guardEndpoints.updateConfig, { body: { requesterMayDecide: before.requesterMayDecide } });
  }
});

test("pending calls that a new rule allows are offered together", async ({ consolePage: page, api }) => {
  const marker = `offer-${randomUUID().slice(0, 8)}`;
  const turns = await Promise.all(
    ["a", "b"].map((name) => submitTurn(api.agent, [{ name: "shell_execute", arguments: { command: `touch ${marker}-${name}` } }])),
  );
  await openInbox(page, marker);
  const detail = await openLine(page, `${marker}-a`);
  await detail.getByRole("button", { name: "Always allow this" }).click();
  await detail.getByRole("combobox", { name: "Remember this decision" }).click();
  await page.getByRole("option", { name: "For the whole workspace" }).click();
  await detail.getByText("A pattern", { exact: true }).click();
  await detail.getByLabel(/^Pattern for/).fill(`^touch ${marker}-[ab]$`);
  await detail.getByRole("button", { name: "Approve and allow" }).click();
  const notes = page.getByRole("status", { name: "Calls allowed now" });
  // Calls that other journeys left pending may be allowed by now, too.
  await expect(notes).toContainText(/pending calls? (is|are) allowed now/);
  await checkPage(page, "the offer of pending calls that are allowed now");
  await notes.getByRole("button", { name: /^Approve (it|all)/ }).click();
  for (const { id } of turns) expect((await waitForEnd(api.agent, id)).calls[0]?.status).toBe("succeeded");
});
