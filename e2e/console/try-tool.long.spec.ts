import type { Page } from "@playwright/test";
import { guardEndpoints } from "@/contracts/guard/guard";
import { turnEndpoints } from "@/contracts/turns/turns";
import { askBefore, expect, test } from "../fixtures";
import { checkPage, fits, open, pageOfMember } from "./check-page";

askBefore("write_file");

const decision = (page: Page) => page.getByRole("region", { name: "Guard decision" });
const result = (page: Page) => page.getByRole("region", { name: "Result", exact: true });

test("a tool is tried by hand: the form, the guard's decision while it is filled in, the result", async ({ consolePage: page, api }) => {
  await open(page, "/tools?tool=shell_execute");
  await page.getByRole("tab", { name: "Try it" }).click();
  await expect(page).toHaveURL(/view=try/);
  await page.getByRole("textbox", { name: "command" }).fill("rm -rf /");
  await expect(decision(page).getByText("Deny", { exact: true })).toBeVisible();
  await decision(page).getByRole("button", { name: "Why" }).click();
  await expect(decision(page).getByRole("list", { name: "Findings" })).toContainText("rm -rf /");
  await fits(page, "a call that the guard would deny");

  await page.getByRole("textbox", { name: "command" }).fill("echo tried by hand");
  await expect(decision(page).getByText("Allow", { exact: true }).first()).toBeVisible();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(result(page).getByText("Succeeded")).toBeVisible();
  await expect(result(page).getByRole("group", { name: "Result sent to the model" })).toContainText("tried by hand");
  await checkPage(page, "the result of a tried call");
  const href = String(await result(page).getByRole("link", { name: "Open turn" }).getAttribute("href"));
  const turn = await api.admin.call(turnEndpoints.get, { params: { id: href.split("/").at(-1) ?? "" } });
  expect(turn.calls[0]).toMatchObject({ name: "shell_execute", status: "succeeded", arguments: { command: "echo tried by hand" } });
});

test("a tried call that asks is approved in place and its result appears; a rejected one says so to the model", async ({
  consolePage: page,
}) => {
  await open(page, "/tools?tool=write_file&view=try");
  await page.getByRole("textbox", { name: "path" }).fill("tried.txt");
  await page.getByRole("textbox", { name: "content" }).fill("one\ntwo");
  await expect(decision(page).getByText("Ask", { exact: true })).toBeVisible();
  await page.getByRole("textbox", { name: "content" }).press("ControlOrMeta+Enter");
  await expect(result(page).getByRole("button", { name: "Approve" })).toBeVisible();
  await expect(result(page).getByRole("link", { name: "Open approval" })).toHaveAttribute("href", /approvals\?approval=/);
  await expect(result(page)).toContainText("tried.txt");
  await checkPage(page, "a tried call that needs approval");
  await result(page).getByRole("button", { name: "Approve" }).click();
  await expect(result(page).getByText("Succeeded")).toBeVisible();

  await page.getByRole("textbox", { name: "path" }).fill("rejected.txt");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await result(page).getByRole("button", { name: "Reject" }).click();
  await expect(result(page).getByText("Rejected", { exact: true })).toBeVisible();
  await expect(result(page).getByRole("group", { name: /^Result sent to the model/ })).toBeVisible();
  await expect(decision(page)).toContainText("earlier in this conversation");
  await page.getByRole("button", { name: "New conversation" }).click();
  await expect(result(page)).toHaveCount(0);
  await expect(decision(page)).not.toContainText("earlier in this conversation");
});

test("a tried call that another person has to decide says so on its buttons, and is cancelled after a question", async ({
  consolePage: page,
  api,
}) => {
  const { id } = await api.admin.call(guardEndpoints.createRule, {
    body: { name: "Approvers only", tool: "write_file", verdict: "require_approval", priority: 100, approvers: { roles: ["approver"] } },
  });
  try {
    await open(page, "/tools?tool=write_file&view=try");
    await page.getByRole("textbox", { name: "path" }).fill("theirs.txt");
    await page.getByRole("textbox", { name: "content" }).fill("x");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await expect(result(page).getByRole("note", { name: "The rule that asks wants an approver to decide." })).toBeVisible();
    for (const name of ["Approve", "Reject"]) await expect(result(page).getByRole("button", { name })).toBeDisabled();
    await checkPage(page, "a tried call that another person has to decide");
    await result(page).getByRole("button", { name: "Cancel turn" }).click();
    await page.getByRole("dialog", { name: "Cancel this turn?" }).getByRole("button", { name: "Cancel turn" }).click();
    await expect(result(page).getByText("Cancelled", { exact: true }).first()).toBeVisible();
  } finally {
    await api.admin.call(guardEndpoints.removeRule, { params: { id } });
  }
});

test("calls of one tab share a conversation: a file written by one is read by the next", async ({ consolePage: page, api }) => {
  const { id } = await api.admin.call(guardEndpoints.createRule, {
    body: { name: "Tries may write", tool: "write_file", verdict: "allow", priority: 50 },
  });
  try {
    await open(page, "/tools?tool=write_file&view=try");
    await page.getByRole("textbox", { name: "path" }).fill("shared.txt");
    await page.getByRole("textbox", { name: "content" }).fill("kept between calls");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await expect(result(page).getByText("Succeeded")).toBeVisible();
    await page.keyboard.press("Escape");
    await page.getByLabel("Search tools").fill("read_file");
    await page.getByRole("link", { name: "read_file", exact: true }).click();
    await page.getByRole("tab", { name: "Try it" }).click();
    await page.getByRole("textbox", { name: "path" }).fill("shared.txt");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await expect(result(page).getByRole("group", { name: "Result sent to the model" })).toContainText("kept between calls");
  } finally {
    await api.admin.call(guardEndpoints.removeRule, { params: { id } });
  }
});

test("a missing argument is named before anything runs, and the call is copied as curl", async ({ consolePage: page, adminContext }) => {
  await adminContext.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, "/tools?tool=shell_execute&view=try");
  await page.getByText("JSON", { exact: true }).click();
  await page.getByLabel("Arguments as JSON").fill("{}");
  await page.getByText("Form", { exact: true }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText("Required", { exact: true })).toBeVisible();
  await expect(result(page)).toHaveCount(0);
  await page.getByRole("textbox", { name: "command" }).fill("echo 'it is'");
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`echo '\\''it is'\\''`);
});

test("who may submit no turns reads why, and still sees the guard's decision", async ({ browser, productUrl, api }) => {
  const page = await pageOfMember(browser, productUrl, api, "viewer");
  await open(page, "/tools?tool=shell_execute&view=try");
  await page.getByRole("textbox", { name: "command" }).fill("ls");
  await expect(decision(page).getByText("Allow", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeDisabled();
  await page.context().close();
});
