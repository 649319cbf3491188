import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { auditRetentionEndpoints } from "@/contracts/audit/audit-retention";
import { identityEndpoints } from "@/contracts/identity/identity";
import { contactEndpoints } from "@/contracts/messengers/contacts";
import { expect, test } from "../fixtures";
import { checkPage, fits, open, pageOfMember, reopen } from "./check-page";

test("retention is tried with a dry run, saved, and a hold keeps the events of an agent until it ends", async ({
  consolePage: page,
  api,
}) => {
  await open(page, "/settings");
  const section = page.getByRole("region", { name: "Audit" });
  await section.getByLabel("Days for calls").fill("3650");
  await section.getByRole("button", { name: "Count events to remove" }).click();
  await expect(section.getByText("0 events of calls, 0 changes and 0 sign-ins would go")).toBeVisible();
  await section.getByLabel("Closed months in the database").fill("24");
  await section.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Old events are removed or archived within 5 minutes")).toBeVisible();
  await reopen(page);
  await expect(section.getByLabel("Days for calls")).toHaveValue("3650");
  await expect(section.getByLabel("Closed months in the database")).toHaveValue("24");

  await section.getByLabel("Name of the hold").fill("Case 17");
  await section.getByLabel("Name of the agent").fill("deployer");
  await section.getByRole("button", { name: "Add hold" }).click();
  await expect(section.getByText("Events of the agent deployer")).toBeVisible();
  await checkPage(page, "settings with a hold");
  await section.getByRole("button", { name: "End hold" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "End hold" }).click();
  await expect(section.getByText("Nothing is held")).toBeVisible();
  await api.admin.call(auditRetentionEndpoints.updateSettings, { body: { callDays: 0, archiveMonths: 0 } });
});

test("a contact is exported and erased from its drawer, and the audit says by whom and still verifies", async ({
  consolePage: page,
  api,
}) => {
  const name = `Mei ${randomUUID().slice(0, 8)}`;
  await api.admin.call(contactEndpoints.create, { body: { name, notes: "Prefers short answers." } });
  await open(page, "/contacts");
  await page.getByRole("link", { name }).click();
  await page.getByRole("button", { name: "Export or erase data" }).click();
  const dialog = page.getByRole("dialog", { name: `Data of ${name}` });
  await expect(dialog.getByText(/keep place and proof/)).toBeVisible();
  await checkPage(page, "the data of a contact");

  const download = page.waitForEvent("download");
  await dialog.getByRole("link", { name: "Export" }).click();
  expect(await readFile(await (await download).path(), "utf8")).toContain("Prefers short answers.");

  const erase = dialog.getByRole("button", { name: "Erase contact" });
  await dialog.getByLabel(`Type ${name} to confirm`).fill("Somebody else");
  await expect(erase).toBeDisabled();
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
  await erase.click();
  await expect(dialog.getByText("Erased", { exact: true })).toBeVisible({ timeout: 20_000 });
  await fits(page, "an erasure that is done");
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByRole("link", { name })).toHaveCount(0);

  await open(page, "/audit?event=contact.created");
  await page.getByRole("link", { name: "Contact created" }).first().click();
  await expect(page.getByRole("dialog").getByText(/Erased on .* by /)).toBeVisible();
  await open(page, "/audit");
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(page.getByText("The audit is whole")).toBeVisible({ timeout: 30_000 });
  expect(await page.content()).not.toContain(name);
});

test("a hold refuses an erasure by name, and a viewer sees why the button is off", async ({
  consolePage: page,
  api,
  browser,
  productUrl,
}) => {
  const person = { email: `held-${randomUUID()}@example.com`, name: `Held ${randomUUID().slice(0, 8)}`, role: "viewer" as const };
  const { id } = await api.admin.call(identityEndpoints.createUser, { body: { ...person, password: randomUUID() } });
  const hold = await api.admin.call(auditRetentionEndpoints.createHold, { body: { name: `Case of ${id}`, kind: "person", subject: id } });
  await open(page, "/settings");
  await page.getByRole("button", { name: `More for ${person.name}` }).click();
  await page.getByRole("menuitem", { name: "Export or erase data" }).click();
  await expect(page.getByRole("dialog").getByText(`Case of ${id}`)).toBeVisible();
  await checkPage(page, "a refused erasure");
  await api.admin.call(auditRetentionEndpoints.removeHold, { params: { id: hold.id } });

  const { id: contactId } = await api.admin.call(contactEndpoints.create, { body: { name: `Kim ${randomUUID().slice(0, 8)}` } });
  const viewer = await pageOfMember(browser, productUrl, api, "viewer");
  await open(viewer, `/contacts?contact=${contactId}`);
  await expect(viewer.getByRole("button", { name: "Export or erase data" })).toBeDisabled();
  await viewer.context().close();
});
