import { randomUUID } from "node:crypto";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { askBefore, expect, test } from "../fixtures";
import { checkPage, open } from "./check-page";
import { openInbox, openLine } from "./pending-approvals";
import { requestWrite, submitTurnIn, waitForEnd } from "./submit-requests";

askBefore("write_file");

test("a person always allows a call from its card, sees it in the list with its use, and takes it back", async ({
  consolePage: page,
  api,
}) => {
  const path = `grants-${randomUUID().slice(0, 8)}.txt`;
  const { id } = await api.agent.call(conversationEndpoints.create, { body: {} });
  const calls = [{ name: "write_file", arguments: { path, content: "written" } }];
  const turn = await submitTurnIn(api.agent, id, calls);
  await openInbox(page, path);
  const card = await openLine(page, path);
  await card.getByRole("button", { name: "Always allow this" }).click();
  await card.getByRole("combobox", { name: "Remember this decision" }).click();
  await page.getByRole("option", { name: "In this conversation" }).click();
  await checkPage(page, "a call being allowed in advance");
  const poll = waitForEnd(api.agent, turn.id);
  await card.getByRole("button", { name: "Approve and allow" }).click();
  expect((await poll).status).toBe("completed");

  expect((await submitTurnIn(api.agent, id, calls)).calls[0]?.status).toBe("succeeded");
  await open(page, "/approvals?tab=grants");
  const grant = page.getByRole("list", { name: "Grants" }).getByRole("listitem").filter({ hasText: path });
  await expect(grant).toContainText("One conversation");
  await expect(grant).toContainText("Used once");
  await checkPage(page, "the list of grants");
  await grant.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(grant).toBeHidden();
  expect((await submitTurnIn(api.agent, id, calls)).status).toBe("suspended");
});

test("a pattern that does not cover the call is refused, and the form keeps what was chosen", async ({ consolePage: page, api }) => {
  const path = `grants-${randomUUID().slice(0, 8)}.txt`;
  await requestWrite(api.agent, path);
  await openInbox(page, path);
  const card = await openLine(page, path);
  await card.getByRole("button", { name: "Always allow this" }).click();
  await card.getByRole("combobox", { name: "Remember this decision" }).click();
  await page.getByRole("option", { name: "In this conversation" }).click();
  await card.getByText("A pattern", { exact: true }).click();
  await card.getByLabel(/^Pattern for/).fill("^another/");
  await card.getByRole("button", { name: "Approve and allow" }).click();
  await expect(card.getByRole("alert")).toContainText("does not cover the call");
  await expect(card.getByLabel(/^Pattern for/)).toHaveValue("^another/");
  await expect(card.getByRole("combobox", { name: "Remember this decision" })).toHaveValue("In this conversation");
});

test("a tool is put behind the delegate and taken back in its story", async ({ consolePage: page }) => {
  await open(page, "/tools?tool=date_time");
  const surface = page.getByRole("combobox", { name: "Exposure" });
  await surface.click();
  await page.getByRole("option", { name: "Escalated: only through the delegate" }).click();
  await expect(page.getByText("Set by an admin.")).toBeVisible();
  await surface.click();
  await page.getByRole("option", { name: "Automatic" }).click();
  await expect(page.getByText("Set by an admin.")).toBeHidden();
});
