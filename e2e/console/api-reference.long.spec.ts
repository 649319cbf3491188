import { endpoints } from "@/contracts";
import type { Endpoint } from "@/contracts/endpoint";
import { expect, test } from "../fixtures";
import { findAxeViolations } from "./find-axe-violations";

const all: Endpoint[] = Object.values(endpoints).flatMap((group): Endpoint[] => Object.values(group));

test("the API reference shows every endpoint, also without JavaScript", async ({ browser, productUrl }) => {
  const context = await browser.newContext({ baseURL: productUrl, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/docs/api");
  const shown = await page.getByRole("main").getByRole("heading", { level: 3 }).allInnerTexts();
  const addresses = shown.map((text) => text.replace(/\s+/g, " "));
  expect(addresses).toEqual(expect.arrayContaining(all.map(({ method, path }) => `${method} ${path}`)));
  await context.close();
});

test("the search leaves what it finds, and a link leads to the endpoint", async ({ page }) => {
  await page.goto("/docs/api");
  await page.getByLabel("Search the reference").fill("the turn goes on by itself");
  await expect(page.getByRole("status")).toHaveText("1 endpoint");
  await expect(page.getByRole("heading", { name: "POST /api/v1/approvals/{id}/decision" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "GET /api/v1/tools", exact: true })).toBeHidden();
  await page.getByRole("link", { name: "POST /approvals/{id}/decision" }).click();
  await expect(page).toHaveURL(/#approvals_decide$/);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the reference is accessible and fits a phone, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 390, height: 844 });
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    await page.goto("/docs/api");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    // The endpoints are drawn alike; looking at every one of them would take a minute.
    await page.getByLabel("Search the reference").fill("conversation");
    await expect(page.getByRole("status")).toHaveText(/endpoints/);
    expect(await findAxeViolations(page, { coloursOnly: colorScheme === "dark", without: ["#schemas"] })).toEqual([]);
    expect(complaints).toEqual([]);
  });
}
