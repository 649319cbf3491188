import { expect, test } from "../fixtures";
import { adminEmail, adminPassword } from "../product";

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
