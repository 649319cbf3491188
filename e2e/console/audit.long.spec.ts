import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "../fixtures";
import { checkPage, fits, open, reopen } from "./check-page";
import { submitTurn } from "./submit-requests";

test("an event is found by its words, opened, linked, and led to its turn", async ({ consolePage: page, api }) => {
  const name = `audited-${randomUUID().slice(0, 8)}.txt`;
  const turn = await submitTurn(api.agent, [{ name: "read_file", arguments: { path: name } }]);
  await open(page, "/audit");
  await expect(page.getByRole("row").nth(5)).toBeVisible();
  await page.getByRole("searchbox", { name: "Words" }).fill(name);
  await expect(page).toHaveURL(new RegExp(`query=${name}`));
  await expect(page.getByRole("row")).toHaveCount(2);
  await fits(page, "a filtered audit");

  await page.getByRole("link", { name: "Call failed" }).click();
  const story = page.getByRole("dialog");
  await expect(story.getByRole("group", { name: "Data, secrets masked" })).toContainText(name);
  await checkPage(page, "an event of the audit");

  await expect(page).toHaveURL(/entry=/);
  // The link alone finds the event again, however much has happened since.
  const entry = new URL(page.url()).searchParams.get("entry");
  await open(page, `/audit?event=workspace.created&entry=${entry}`);
  await expect(story.getByRole("group", { name: "Data, secrets masked" })).toContainText(name);
  await story.getByRole("link", { name: "See the turn" }).click();
  await expect(page).toHaveURL(`/turns/${turn.id}`);
});

test("filters narrow by event, verdict and actor, stand in the address and survive a reload", async ({ consolePage: page, api }) => {
  await submitTurn(api.agent, [{ name: "shell_execute", arguments: { command: "rm -rf /" } }]);
  await open(page, "/audit");
  await page.getByRole("button", { name: "More filters" }).click();
  await page.getByRole("combobox", { name: "Verdict" }).click();
  await page.getByRole("option", { name: "Deny" }).click();
  await page.getByRole("combobox", { name: "Event" }).click();
  await page.getByRole("option", { name: "Call denied" }).click();
  await page.getByRole("searchbox", { name: "Actor" }).fill("First agent key");
  await expect(page).toHaveURL(/actor=/);
  await reopen(page);
  await expect(page.getByRole("combobox", { name: "Event" })).toHaveValue("Call denied");
  const rows = page.getByRole("table", { name: "Audit events" }).locator("tbody tr");
  await expect(rows.first()).toContainText("Call denied");
  for (const row of await rows.all()) await expect(row).toContainText("Deny");
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await expect(page).toHaveURL(/\/audit$/);
  await page.getByRole("button", { name: "More filters" }).click();
  await expect(page.getByRole("searchbox", { name: "Actor" })).toHaveValue("");
});

test("today's calls of an agent are found by range, agent and source, each with its arguments", async ({ consolePage: page, api }) => {
  const name = `ranged-${randomUUID().slice(0, 8)}.txt`;
  await submitTurn(api.agent, [{ name: "read_file", arguments: { path: name } }]);
  await open(page, "/audit");
  await page.getByRole("combobox", { name: "Time range" }).click();
  await page.getByRole("option", { name: "Today" }).click();
  await expect(page).toHaveURL(/from=/);
  await page.getByRole("button", { name: "More filters" }).click();
  await page.getByRole("combobox", { name: "Source" }).click();
  await page.getByRole("option", { name: "builtin" }).click();
  await page.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: "default" }).click();
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("read_file");
  await expect(page.getByRole("combobox", { name: "Time range" })).toHaveValue("Today");
  await checkPage(page, "the audit of today");
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await expect(page).toHaveURL(/\/audit$/);
});

test("an export holds what the filter shows", async ({ consolePage: page, api }) => {
  const name = `exported-${randomUUID().slice(0, 8)}.txt`;
  await submitTurn(api.agent, [{ name: "read_file", arguments: { path: name } }]);
  await open(page, `/audit?query=${name}`);
  await expect(page.getByRole("row")).toHaveCount(2);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  const text = await readFile(await (await downloading).path(), "utf8");
  const [names, ...lines] = text.trimEnd().split("\r\n");
  expect(names).toMatch(/^id,at,event/);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(name);
});

test("older events come when the end of the list comes near", async ({ consolePage: page, api }) => {
  const calls = Array.from({ length: 16 }, () => ({ name: "date_time" }));
  for (let turn = 0; turn < 7; turn += 1) await submitTurn(api.agent, calls);
  await open(page, "/audit");
  const rows = page.getByRole("table", { name: "Audit events" }).locator("tbody tr");
  await expect(rows.first()).toBeVisible();
  await rows.last().scrollIntoViewIfNeeded();
  await expect.poll(() => rows.count()).toBeGreaterThan(100);
});

test("an event that is not there is said to be so", async ({ consolePage: page }) => {
  await open(page, "/audit?entry=017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
  await expect(page.getByText("Event not found in this workspace.")).toBeVisible();
});
