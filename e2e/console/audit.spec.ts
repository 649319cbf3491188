import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "../fixtures";
import { submitTurn } from "./ask-for";
import { lookClosely, open, reopen } from "./look-closely";

test("an event is found by its words, opened, linked, and led to its turn", async ({ consolePage: page, api }) => {
  const name = `audited-${randomUUID().slice(0, 8)}.txt`;
  const turn = await submitTurn(api.agent, [{ name: "read_file", arguments: { path: name } }]);
  await open(page, "/audit");
  await expect(page.getByRole("row").nth(20)).toBeVisible();
  await page.getByRole("textbox", { name: "Words" }).fill(name);
  await expect(page).toHaveURL(new RegExp(`query=${name}`));
  await expect(page.getByRole("row")).toHaveCount(2);
  await lookClosely(page, "a filtered audit");

  await page.getByRole("link", { name: "Call failed" }).click();
  const story = page.getByRole("dialog");
  await expect(story.getByRole("group", { name: "Data, secrets masked" })).toContainText(name);
  await lookClosely(page, "an event of the audit");

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
  await page.getByRole("combobox", { name: "Verdict" }).click();
  await page.getByRole("option", { name: "Deny" }).click();
  await page.getByRole("combobox", { name: "Event" }).click();
  await page.getByRole("option", { name: "Call denied" }).click();
  await page.getByRole("textbox", { name: "Who" }).fill("First agent key");
  await expect(page).toHaveURL(/actor=/);
  await reopen(page);
  await expect(page.getByRole("combobox", { name: "Event" })).toHaveValue("Call denied");
  const rows = page.getByRole("table", { name: "Audit events" }).locator("tbody tr");
  await expect(rows.first()).toContainText("Call denied");
  for (const row of await rows.all()) await expect(row).toContainText("Deny");
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(page).toHaveURL(/\/audit$/);
  await expect(page.getByRole("textbox", { name: "Who" })).toHaveValue("");
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
  await expect(page.getByText("There is no such event in this workspace.")).toBeVisible();
});
