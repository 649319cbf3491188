import { randomUUID } from "node:crypto";
import { approvalEndpoints } from "@/contracts/approvals";
import { expect, test } from "../fixtures";
import { endOf, submitTurn } from "./ask-for";
import { lookClosely } from "./look-closely";

test("a suspended turn goes on before one's eyes when somebody answers", async ({ consolePage: page, api }) => {
  const path = `turn-${randomUUID().slice(0, 8)}.txt`;
  const turn = await submitTurn(api.agent, [
    { name: "date_time" },
    { name: "write_file", arguments: { path, content: "Hello" } },
    { name: "read_file", arguments: { path } },
  ]);
  await page.goto(`/turns/${turn.id}`);
  const steps = page.getByRole("list", { name: "Calls in the order in which they were submitted" }).locator("> li");
  await expect(steps).toHaveCount(3);
  await expect(steps.nth(0)).toContainText("Succeeded");
  await expect(steps.nth(1)).toContainText("Waits for a person");
  await expect(steps.nth(2)).toContainText("Not started");
  await steps.nth(0).getByRole("button", { name: "Why" }).click();
  await expect(steps.nth(0).getByText("None matched")).toBeVisible();
  await lookClosely(page, "a suspended turn");

  const approvalId = turn.calls[1]?.approvalId ?? "";
  await api.approver.call(approvalEndpoints.decide, { params: { id: approvalId }, body: { decision: "approve" } });
  await expect(steps.nth(1)).toContainText("Succeeded");
  await expect(steps.nth(2).getByRole("group", { name: "What the model reads" })).toContainText("Hello");
  await expect(page.getByText("Completed", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancel" })).toHaveCount(0);
});

test("a turn is cancelled, and its open approval is withdrawn", async ({ consolePage: page, api }) => {
  const turn = await submitTurn(api.agent, [{ name: "write_file", arguments: { path: "never.txt", content: "x" } }]);
  await page.goto("/turns");
  await page.getByRole("table", { name: "Turns" }).getByRole("link", { name: "write_file" }).first().click();
  await expect(page).toHaveURL(`/turns/${turn.id}`);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel the turn" }).click();
  await expect(page.getByText("Cancelled", { exact: true }).first()).toBeVisible();
  expect((await endOf(api.agent, turn.id)).status).toBe("cancelled");
  const approval = await api.approver.call(approvalEndpoints.get, { params: { id: turn.calls[0]?.approvalId ?? "" } });
  expect(approval.status).toBe("cancelled");
});

test("the list of turns narrows by status and shows the turns of one conversation", async ({ consolePage: page, api }) => {
  const turn = await submitTurn(api.agent, [{ name: "date_time" }, { name: "date_time" }]);
  await page.goto("/turns");
  await expect(page.getByRole("row").nth(1)).toContainText("date_time ×2");
  await lookClosely(page, "the list of turns");
  await page.getByText("Waits for a person", { exact: true }).first().click();
  await expect(page).toHaveURL(/status=suspended/);
  await page.goto(`/turns?conversation=${turn.conversationId}`);
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
