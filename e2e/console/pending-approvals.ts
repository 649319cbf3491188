import type { Locator, Page } from "@playwright/test";
import { openEmpty } from "../open-empty";
import { open } from "./check-page";

/** Sends decisions at once, as the setting does: no journey but that of the undo waits five seconds. */
export async function decideAtOnce(page: Page): Promise<void> {
  // A new page has no origin, and storage belongs to an origin.
  if (page.url() === "about:blank") await openEmpty(page);
  await page.evaluate(() => localStorage.setItem("handrail.undo-decisions", "false"));
}

/** The line of the inbox with this text. */
export const findLine = (page: Page, text: string): Locator =>
  page.getByRole("list", { name: "Pending approvals" }).getByRole("listitem").filter({ hasText: text });

/** The open approval, beside the list. */
export const findDetail = (page: Page): Locator => page.getByRole("region", { name: "Approval", exact: true });

/** The inbox with what its search finds, listening, where decisions are sent at once. */
export async function openInbox(page: Page, query = ""): Promise<void> {
  await decideAtOnce(page);
  const listening = page.waitForResponse("**/api/v1/approvals/events");
  await open(page, query ? `/approvals?query=${encodeURIComponent(query)}` : "/approvals");
  await listening;
}

/** Opens the line with this text, and answers what stands beside the list. */
export async function openLine(page: Page, text: string): Promise<Locator> {
  await findLine(page, text).getByRole("link").click();
  return findDetail(page);
}
