import type { Page } from "@playwright/test";
import { askBefore, expect, test } from "../fixtures";
import { makeOneOfEach } from "../one-of-each";
import { open } from "./check-page";
import { findAxeViolations } from "./find-axe-violations";

askBefore("write_file");
// A list without rows has little to look at.
test.beforeAll(async ({ api }) => {
  await makeOneOfEach(api);
});

/** The pages that the navigation leads to. */
async function pagesOf(page: Page): Promise<string[]> {
  await open(page, "/tools");
  const links = page.getByRole("navigation").getByRole("link");
  await expect(links.first()).toBeVisible();
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  return [...new Set(hrefs.filter((href) => href?.startsWith("/")).map(String))];
}

/** Collects a page's script errors and failed requests. */
function troubleOf(page: Page): string[] {
  const trouble: string[] = [];
  page.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // Failed loads are reported below, with their address.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) trouble.push(`console: ${message.text()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) trouble.push(`${response.status()}: ${new URL(response.url()).pathname}`);
  });
  return trouble;
}

for (const [look, colorScheme, width] of [
  ["on a wide light screen", "light", 1280],
  ["on a phone in the dark", "dark", 390],
] as const) {
  test(`every page opens without trouble and is accessible ${look}`, async ({ consolePage: page }) => {
    test.setTimeout(400_000);
    // The navigation of a phone is folded away, so its pages are collected before the window narrows.
    const paths = await pagesOf(page);
    expect(paths.length, "pages in the navigation").toBeGreaterThan(5);
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    const trouble = troubleOf(page);
    for (const path of paths) {
      await open(page, path);
      await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect.soft(overflow, `${path} is wider than the window`).toBeLessThanOrEqual(0);
      expect.soft(await findAxeViolations(page), `${path} by axe`).toEqual([]);
    }
    expect([...new Set(trouble)]).toEqual([]);
  });
}
