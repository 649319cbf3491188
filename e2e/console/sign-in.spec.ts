import { expect, test } from "../fixtures";
import { checkPage, open, pageOfMember } from "./check-page";

test("who is not signed in is asked to, and then gets to the page they wanted", async ({ page, workspace }) => {
  await open(page, "/tools");
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=/);
  await page.getByLabel("Email").fill(workspace.owner.email);
  await page.getByRole("textbox", { name: "Password" }).fill(workspace.owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/tools$/);
  await expect(page.getByRole("heading", { level: 1, name: "Tools" })).toBeVisible();
});

test("a wrong password is refused with a sentence, and nobody is signed in", async ({ page, workspace }) => {
  await open(page, "/sign-in");
  await page.getByLabel("Email").fill(workspace.owner.email);
  await page.getByRole("textbox", { name: "Password" }).fill("not the password at all");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.locator("main").getByRole("alert")).toBeVisible();
  await page.goto("/tools");
  await expect(page).toHaveURL(/\/sign-in/);
});

test("a sign-in link cannot lead anybody to another site", async ({ page, productUrl, workspace }) => {
  await open(page, "/sign-in?callbackUrl=https://example.com/");
  await page.getByLabel("Email").fill(workspace.owner.email);
  await page.getByRole("textbox", { name: "Password" }).fill(workspace.owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).not.toHaveURL(/sign-in/);
  expect(new URL(page.url()).origin).toBe(productUrl);
});

test("who failed too often reads how long to wait", async ({ page, productUrl }) => {
  const email = `guesser-${crypto.randomUUID()}@example.com`;
  await open(page, "/sign-in");
  const failure = page.locator("main").getByRole("alert");
  for (let guess = 0; guess < 6; guess += 1) {
    await page.getByLabel("Email").fill(email);
    await page.getByRole("textbox", { name: "Password" }).fill(`guess number ${guess}`);
    const answered = page.waitForResponse(`${productUrl}/api/auth/callback/credentials*`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await answered;
    await expect(failure).toBeVisible();
  }
  await expect(failure).toHaveText(/Too many failed attempts\. Try again in \d+ seconds?\./);
  await checkPage(page, "a refused sign-in");
});

test("a sentence in a link is not shown as ours", async ({ page }) => {
  await page.goto(`/sign-in?error=${encodeURIComponent("Call 555-0100 to unlock your account")}`);
  await expect(page.locator("main").getByRole("alert")).toHaveText("Signing in did not work. Try again in a moment.");
});

test("a session that has ended says so, keeps what was typed, and leads back to the same place", async ({ browser, productUrl, api }) => {
  const page = await pageOfMember(browser, productUrl, api, "admin");
  await open(page, "/tools?tool=date_time");
  const story = page.getByRole("dialog");
  await story.getByLabel("Timeout in seconds").fill("20");
  await page.context().clearCookies();
  await story.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Your session has ended", { exact: true })).toBeVisible();
  await expect(story.getByLabel("Timeout in seconds")).toHaveValue("20 s");
  await page.getByRole("button", { name: "Sign in again" }).click();
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=%2Ftools%3Ftool%3Ddate_time/);
  await page.context().close();
});
