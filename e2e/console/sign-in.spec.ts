import { expect, test } from "../fixtures";
import { adminEmail, adminPassword } from "../product";
import { lookClosely, open, pageOfMember } from "./look-closely";

test("who is not signed in is asked to, and then gets to the page they wanted", async ({ page }) => {
  await page.goto("/tools");
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=/);
  await page.getByLabel("E-mail").fill(adminEmail);
  await page.getByRole("textbox", { name: "Password" }).fill(adminPassword);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/tools$/);
  await expect(page.getByRole("heading", { level: 1, name: "Tools" })).toBeVisible();
});

test("a wrong password is refused with a sentence, and nobody is signed in", async ({ page }) => {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(adminEmail);
  await page.getByRole("textbox", { name: "Password" }).fill("not the password at all");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.locator("main").getByRole("alert")).toBeVisible();
  await page.goto("/tools");
  await expect(page).toHaveURL(/\/sign-in/);
});

test("a sign-in link cannot lead anybody to another site", async ({ page, productUrl }) => {
  await page.goto("/sign-in?callbackUrl=https://example.com/");
  await page.getByLabel("E-mail").fill(adminEmail);
  await page.getByRole("textbox", { name: "Password" }).fill(adminPassword);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).not.toHaveURL(/sign-in/);
  expect(new URL(page.url()).origin).toBe(productUrl);
});

test("who failed too often reads how long to wait", async ({ page, productUrl }) => {
  const email = `guesser-${crypto.randomUUID()}@example.com`;
  await page.goto("/sign-in");
  const failure = page.locator("main").getByRole("alert");
  for (let guess = 0; guess < 6; guess += 1) {
    await page.getByLabel("E-mail").fill(email);
    await page.getByRole("textbox", { name: "Password" }).fill(`guess number ${guess}`);
    const answered = page.waitForResponse(`${productUrl}/api/auth/callback/credentials*`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await answered;
    await expect(failure).toBeVisible();
  }
  await expect(failure).toHaveText(/Too many failed attempts\. Try again in \d+ seconds?\./);
  await lookClosely(page, "a refused sign-in");
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
  await expect(page.getByText("Your session has ended")).toBeVisible();
  await expect(story.getByLabel("Timeout in seconds")).toHaveValue("20 s");
  await page.getByRole("button", { name: "Sign in again" }).click();
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=%2Ftools%3Ftool%3Ddate_time/);
  await page.context().close();
});
