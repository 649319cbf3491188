import { delegateEndpoints } from "@/contracts/agents/delegate";
import { resultSettingsEndpoints } from "@/contracts/tools/result-settings";
import { caller } from "../caller";
import { askBefore, expect, test } from "../fixtures";
import { checkPage, fits, open, pageOfMember, reopen, signIn } from "./check-page";
import { submitTurn } from "./submit-requests";

askBefore("write_file");

test("an API key is shown once, works, and stops working when it is revoked", async ({ consolePage: page, api, productUrl }) => {
  await open(page, "/settings");
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Night bot");
  await checkPage(page, "the form of a key");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("dialog", { name: "Night bot is created" })).toContainText("it is not shown again");
  const key = String(await dialog.getByRole("group", { name: "API key" }).textContent());
  expect(key).toMatch(/^hr_/);
  await checkPage(page, "the key");
  const whoAmI = () => api.nobody.fetch("/api/v1/me", { headers: { authorization: `Bearer ${key}` } });
  expect(await (await whoAmI()).json()).toMatchObject({ actor: { type: "api_key", name: "Night bot" } });

  await page.keyboard.press("Escape");
  await expect(dialog, "Escape does not lose a key that nobody copied").toBeVisible();
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  await expect(dialog).toBeHidden();
  await reopen(page);
  const row = page.getByRole("listitem").filter({ hasText: "Night bot" });
  await expect(row).toContainText(key.slice(0, 8));
  await expect(row).toContainText("turns:write tools:read");
  expect(await page.content(), `the page of ${productUrl} holds no key`).not.toContain(key);

  await row.getByRole("button", { name: "Revoke Night bot" }).click();
  await checkPage(page, "the question before a revocation");
  await page.getByRole("dialog").getByRole("button", { name: "Revoke key" }).click();
  await expect(row.getByText("Revoked")).toBeVisible();
  expect((await whoAmI()).status).toBe(401);
});

test("a key gets limits, which hold whatever rules say", async ({ consolePage: page, productUrl }) => {
  await open(page, "/settings");
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Only looks");
  await dialog.getByRole("group", { name: "Allowed effects" }).getByLabel("Destroy").click();
  await dialog.getByRole("group", { name: "Allowed effects" }).getByLabel("Write").click();
  await dialog.getByRole("combobox", { name: "Trust class" }).click();
  await page.getByRole("option", { name: /^Operator/ }).click();
  await checkPage(page, "the limits of a key");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = String(await dialog.getByRole("group", { name: "API key" }).textContent());
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Only looks" })).toContainText("may only read · operator");
  const turn = await submitTurn(caller(productUrl, key), [{ name: "write_file", arguments: { path: "a.txt", content: "a" } }]);
  expect(turn.calls[0]).toMatchObject({ status: "denied", decision: { reason: expect.stringContaining("Only looks") } });
});

test("the pipeline of core_execute is connected, changed without its secret being shown, and disconnected", async ({
  consolePage: page,
  api,
}) => {
  await open(page, "/settings");
  const delegate = page.getByRole("region", { name: "Delegate" });
  await expect(delegate.getByText("No delegate")).toBeVisible();
  await delegate.getByRole("button", { name: "Connect a pipeline" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Address").fill("pipeline");
  await dialog.getByRole("button", { name: "Connect" }).click();
  await expect(dialog.getByText("write an http or https address")).toBeVisible();
  await dialog.getByLabel("Address").fill("http://127.0.0.1:9/v1");
  await dialog.getByRole("textbox", { name: "Secret" }).fill("between-us-only");
  await checkPage(page, "the form of the delegate");
  await dialog.getByRole("button", { name: "Connect" }).click();
  await expect(delegate.getByText("In use")).toBeVisible();
  await expect(delegate).toContainText("http://127.0.0.1:9/v1");
  await expect(dialog).toBeHidden();
  await open(page, "/settings");
  expect(await page.content()).not.toContain("between-us-only");
  await fits(page, "a delegate that is connected");
  expect(await api.viewer.call(delegateEndpoints.get)).toMatchObject({ connected: true, hasSecret: true, timeoutSeconds: 1_800 });

  await delegate.getByRole("button", { name: "Change" }).click();
  await expect(dialog.getByRole("textbox", { name: "Secret" })).toHaveAttribute("placeholder", /^Stored/);
  await dialog.getByLabel("Timeout").fill("60");
  await dialog.getByRole("switch", { name: "In use" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(delegate.getByText("Switched off")).toBeVisible();
  expect(await api.viewer.call(delegateEndpoints.get)).toMatchObject({ connected: false, hasSecret: true, timeoutSeconds: 60 });
  await delegate.getByRole("button", { name: "Change" }).click();
  await dialog.getByLabel("Address").fill("http://127.0.0.1:10/v1");
  await expect(dialog.getByText(/belongs to another host/), "a secret goes to no other host").toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await delegate.getByRole("button", { name: "Disconnect" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
  await expect(delegate.getByText("No delegate")).toBeVisible();
  expect((await api.viewer.call(delegateEndpoints.get)).url).toBeNull();
});

test("a key that could answer the questions of its own calls is refused with the reason", async ({ consolePage: page }) => {
  await open(page, "/settings");
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Too much");
  await dialog.getByText("Something else").click();
  await dialog.getByText("Open conversations and submit turns").click();
  await dialog.getByText("Approve and reject").click();
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Make two keys");
});

test("an admin adds a member, changes their role and removes them", async ({ consolePage: page, browser, productUrl }) => {
  const email = `petra-${crypto.randomUUID()}@example.com`;
  const password = crypto.randomUUID();
  await open(page, "/settings");
  await page.getByRole("button", { name: "Add member" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Name").fill("Petra Lund");
  await checkPage(page, "the form of a member");
  await dialog.getByRole("button", { name: "Add member" }).click();
  await expect(dialog).toContainText("Petra Lund is added");
  const link = await dialog.getByRole("group", { name: "Invitation link" }).textContent();
  await checkPage(page, "an invitation link");
  await dialog.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("listitem").filter({ hasText: email });
  await expect(row).toContainText("Petra Lund");

  const theirs = await (await browser.newContext({ baseURL: productUrl })).newPage();
  await open(theirs, String(link).trim());
  await theirs.getByRole("textbox", { name: "Password" }).fill("password1234");
  await theirs.getByRole("button", { name: "Set password" }).click();
  await expect(theirs.getByText("This password is too easy to guess.")).toBeVisible();
  await theirs.getByRole("textbox", { name: "Password" }).fill(password);
  await theirs.getByRole("button", { name: "Set password" }).click();
  await expect(theirs.getByText(`Your password is set. Sign in as ${email}.`)).toBeVisible();
  await checkPage(theirs, "a password that was chosen");
  await signIn(theirs, email, password);
  await expect(theirs.getByRole("button", { name: /Petra Lund approver/ })).toBeVisible();

  await row.getByRole("combobox", { name: "Role of Petra Lund" }).click();
  await page.getByRole("option", { name: "Viewer" }).click();
  await expect(page.getByText("Petra Lund is Viewer now")).toBeVisible();
  await reopen(theirs);
  await expect(theirs.getByRole("button", { name: /Petra Lund viewer/ })).toBeVisible();

  await row.getByRole("button", { name: "More for Petra Lund" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove member" }).click();
  await expect(row).toHaveCount(0);
  await reopen(theirs);
  await expect(theirs, "a removed member is signed out").toHaveURL(/\/sign-in/);
  await theirs.context().close();
});

test("the look that somebody chooses stays, and signing out ends the session", async ({ browser, productUrl, api }) => {
  const page = await pageOfMember(browser, productUrl, api, "approver");
  await open(page, "/tools");
  const me = page.getByRole("button", { name: /A new approver approver/ });
  await me.click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await reopen(page);
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await me.click();
  await checkPage(page, "the menu of the person");
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await open(page, "/settings");
  await expect(page).toHaveURL(/\/sign-in/);
  await page.context().close();
});

test("a viewer reads in the settings what only admins see", async ({ browser, productUrl, api }) => {
  const page = await pageOfMember(browser, productUrl, api, "viewer");
  await open(page, "/settings");
  await expect(page.getByText("Only admins see API keys")).toBeVisible();
  await expect(page.getByText("Only admins see members")).toBeVisible();
  await expect(page.getByText("Only admins see durable work")).toBeVisible();
  await expect(page.getByRole("button", { name: "Create key" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Connect a pipeline" })).toBeDisabled();
  await expect(page.getByRole("link", { name: "Reference" })).toHaveAttribute("href", "/docs/api");
  await checkPage(page, "the settings of a viewer");
  await page.context().close();
});

test("an admin changes the limits of results and switches masking off, and mistakes are told", async ({ consolePage: page, api }) => {
  await open(page, "/settings");
  const results = page.getByRole("region", { name: "Results" });
  await expect(results.getByRole("button", { name: "Save" })).toHaveCount(0);
  await results.getByLabel("Characters of a result").fill("50000");
  await results.getByRole("button", { name: "Save" }).click();
  await expect(results.getByText("A turn needs room for one result")).toBeVisible();
  await checkPage(page, "the settings of results with a mistake");
  await results.getByLabel("Characters of a result").fill("20000");
  await results.getByRole("switch", { name: "Mask secrets" }).click();
  await results.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("New calls have these settings")).toBeVisible();
  const saved = await api.viewer.call(resultSettingsEndpoints.get);
  expect(saved).toMatchObject({ maxCharsPerResult: 20_000, maxCharsPerTurn: 32_000, maskSecrets: false });
  await api.admin.call(resultSettingsEndpoints.update, { body: { maxCharsPerResult: 8_000, maskSecrets: true } });
});

test("an admin sees the queues of durable work, and that none of it has failed", async ({ consolePage: page }) => {
  await open(page, "/settings");
  const section = page.getByRole("region", { name: "Durable work" });
  const sweep = section.getByRole("listitem").filter({ hasText: "Removal of old rows" });
  await expect(sweep).toContainText("Failed");
  await expect(section.getByRole("listitem").filter({ hasText: "Webhook deliveries" })).toContainText("Last success");
  await expect(section.getByText("No failed items")).toBeVisible();
  await checkPage(page, "the queues of durable work");
});
