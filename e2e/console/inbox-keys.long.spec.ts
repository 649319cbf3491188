import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { askBefore, expect, test } from "../fixtures";
import { checkPage } from "./check-page";
import { findDetail, findLine, openInbox } from "./pending-approvals";
import { submitTurn, waitForEnd } from "./submit-requests";

askBefore("write_file", "shell_execute");

/** Answers of the API arrive after this time, as on another continent. */
const delayMs = 600;
const delayAnswers = (page: Page) =>
  page.route("**/api/v1/**", async (route) => {
    await wait(delayMs);
    await route.continue();
  });

test("41 of 42 calls are rejected by keyboard with a reason typed at once on a slow connection, and nothing else is decided", async ({
  consolePage: page,
  api,
}) => {
  // Some 1,600 keys, each drawn.
  test.slow();
  const marker = `reasons-${randomUUID().slice(0, 8)}`;
  await Promise.all(
    Array.from({ length: 42 }, (_, place) =>
      submitTurn(api.agent, [{ name: "shell_execute", arguments: { command: `touch ${marker}-${place}.txt` } }]),
    ),
  );
  const { items } = await api.viewer.call(approvalEndpoints.inbox, { query: { query: marker, limit: 100 } });
  expect(items).toHaveLength(42);
  await delayAnswers(page);
  await openInbox(page, marker);
  await expect(page.getByRole("list", { name: "Pending approvals" }).getByRole("listitem").first()).toBeVisible();

  const spared = 17;
  const reasonOf = (place: number) => `A mistake, reach back: jack ${place}.`;
  for (const place of items.keys()) {
    await page.keyboard.press("j");
    if (place === spared) continue;
    await page.keyboard.press("r");
    await page.keyboard.type(reasonOf(place));
    await page.keyboard.press("Control+Enter");
  }
  const read = () => api.viewer.call(approvalEndpoints.list, { query: { query: marker, limit: 100 } });
  await expect.poll(async () => (await read()).items.filter(({ status }) => status !== "pending").length, { timeout: 60_000 }).toBe(41);
  const decided = new Map((await read()).items.map((approval) => [approval.id, approval]));
  for (const [place, { id }] of items.entries()) {
    expect(decided.get(id), `row ${place}`).toMatchObject(
      place === spared ? { status: "pending", votes: [] } : { status: "rejected", comment: reasonOf(place) },
    );
  }
});

test("typed text decides nothing, and a call that leaves the sandbox takes its key twice", async ({ consolePage: page, api }) => {
  const marker = `twice-${randomUUID().slice(0, 8)}`;
  const turn = await submitTurn(api.agent, [
    { name: "shell_execute", arguments: { command: `curl -sS --max-time 1 http://${marker}.example.test/` } },
  ]);
  await delayAnswers(page);
  await openInbox(page, marker);
  await findLine(page, marker).getByRole("link").focus();
  const approvalId = turn.calls[0]?.approvalId ?? "";
  const status = async () => (await api.viewer.call(approvalEndpoints.get, { params: { id: approvalId } })).status;
  const detail = findDetail(page);
  const prompt = detail.getByRole("status").filter({ hasText: "again to approve" });

  // The detail is not there yet: the key waits for it.
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await expect(detail.getByText("Leaves the sandbox", { exact: true })).toBeVisible();
  await expect(prompt).toContainText("This call leaves the sandbox.");
  await checkPage(page, "a call that takes its key a second time");
  await page.keyboard.type("a mistake, call back", { delay: 60 });
  expect(await status()).toBe("pending");
  await page.keyboard.press("Escape");
  await expect(detail).toHaveCount(0);
  await page.keyboard.press("j");
  await expect(detail.getByRole("button", { name: "Approve once" })).toBeVisible();
  // The first press counts no longer: the call was closed meanwhile.
  await expect(prompt).toHaveCount(0);
  await page.keyboard.press("a");
  await expect(prompt).toBeVisible();
  await page.keyboard.press("a");
  expect((await waitForEnd(api.agent, turn.id)).calls[0]?.status).not.toBe("rejected");
  expect(await status()).toBe("approved");
});
