import "server-only";
import type { Locator } from "playwright-core";
import { AppError } from "@/server/platform/errors";
import type { ActionRun } from "./browser-action";
import type { BrowserSession } from "./browser-session";

const selectorTypes = /^\s*(?:internal:|aria-ref=|_react=|_vue=)/i;

/** Returns the element that an action names. @throws AppError for a reference that the page no longer has */
export async function elementOf({ page }: BrowserSession, { ref, selector }: Pick<ActionRun, "ref" | "selector">): Promise<Locator> {
  if (ref !== undefined) {
    const found = page.locator(`aria-ref=${ref}`);
    const count = await found.count().catch(() => 0);
    if (count === 0) throw new AppError("not_found", `The page has no element @${ref} any more. Use action=snapshot for new references.`);
    return found;
  }
  if (selector === undefined) throw new AppError("invalid", "Send `ref` or `selector`.");
  if (selectorTypes.test(selector)) throw new AppError("invalid", "This kind of selector is not taken. Send CSS, text=…, or a ref.");
  return page.locator(selector);
}

/** Returns whether an element is a field for files. Waits for the element as an action on it would. */
export const isFileField = (element: Locator, limits: { timeout: number; signal: AbortSignal }): Promise<boolean> =>
  element.evaluate((node) => node instanceof HTMLInputElement && node.type === "file", undefined, limits);

/**
 * Makes sure that an action changes nothing at another host than the one it was decided for.
 * @throws AppError when `pageUrl` has another host than the page, or than the frame of the element
 */
export async function assertHost(session: BrowserSession, run: ActionRun): Promise<void> {
  if (run.pageUrl === undefined) return;
  const wanted = hostOf(run.pageUrl);
  const open = session.page.url();
  if (hostOf(open) !== wanted) {
    throw new AppError(
      "conflict",
      `The open page is ${open}, not one of ${wanted}. Nothing was done. Send its address as pageUrl, or open another page.`,
    );
  }
  if (run.ref === undefined && run.selector === undefined) return;
  const element = await (await elementOf(session, run)).elementHandle({ timeout: run.timeout, signal: run.signal });
  let frame = await element?.ownerFrame();
  // A frame without an address of its own, such as about:srcdoc, belongs to the page around it.
  while (frame?.parentFrame() && hostOf(frame.url()) === "") frame = frame.parentFrame();
  await element?.dispose();
  const host = frame ? hostOf(frame.url()) : "";
  if (host !== wanted) {
    throw new AppError("conflict", `The element is in a frame of ${host || "an unknown host"}, not of ${wanted}. Nothing was done.`);
  }
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? "";
