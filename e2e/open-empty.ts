import type { Page } from "@playwright/test";

/** Opens an empty page of the product's origin, which has the origin's storage and where nothing goes on. */
export async function openEmpty(page: Page): Promise<void> {
  const address = "/empty-page-of-the-tests";
  await page.route(`**${address}`, (route) => route.fulfill({ contentType: "text/html", body: "<title>Empty</title>" }));
  await page.goto(address);
  await page.unroute(`**${address}`);
}
