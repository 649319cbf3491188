import type { Browser, Page } from "@playwright/test";
import { identityEndpoints } from "@/contracts/identity/identity";
import type { Role } from "@/contracts/permissions";
import { consoleBrowser } from "../console-browser";
import { type Callers, expect } from "../fixtures";
import { sessionOf } from "../session-of";
import { findAxeViolations } from "./find-axe-violations";

const softly = expect.configure({ soft: true });

/**
 * Checks that the open page is accessible and fits the window, on a phone too. Once for each page, drawer and dialog, because axe takes
 * most of a journey's time. `fits` is enough for another state of the same one.
 */
export async function checkPage(page: Page, what: string): Promise<void> {
  await fits(page, what);
  await waitForAnimations(page);
  expect.soft(await findAxeViolations(page), `${what} by axe`).toEqual([]);
}

/** Checks that the open page fits the window, on a phone too, and restores the size of the window. */
export async function fits(page: Page, what: string): Promise<void> {
  const size = page.viewportSize() ?? consoleBrowser.viewport;
  for (const width of new Set([390, size.width])) {
    await page.setViewportSize({ ...size, width });
    // The frame takes a moment to follow the window.
    await softly
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), {
        message: `${what} at ${width} px is wider than the window`,
      })
      .toBeLessThanOrEqual(0);
  }
}

/** Waits for what fades and slides to have arrived: half transparent, no colour is what it will be. */
async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect, playState }) => playState === "running" && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    // One that belongs to what is not drawn any more never ends.
    const longest = new Promise((resolve) => setTimeout(resolve, 1_000));
    await Promise.race([Promise.allSettled(ending.map(({ finished }) => finished)), longest]);
  });
}

/** Goes to a page of the console and waits until it listens to clicks and keys, which is a moment after it is drawn. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await listening(page);
}

/** Loads the page again and waits until it listens. */
export async function reopen(page: Page): Promise<void> {
  await page.reload();
  await listening(page);
}

/** Waits until React has taken over what the server drew, and has nothing left to do: effects add the listeners to keys. */
async function listening(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const heading = document.querySelector("main h1");
    return heading !== null && Object.keys(heading).some((key) => key.startsWith("__react"));
  });
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })));
}

/** A page of a browser of its own, signed in as a new member with this role; nothing is open in it yet. */
export async function pageOfMember(browser: Browser, productUrl: string, api: Callers, role: Role): Promise<Page> {
  const person = { email: `${role}-${crypto.randomUUID()}@example.com`, password: crypto.randomUUID(), name: `A new ${role}`, role };
  await api.admin.call(identityEndpoints.createUser, { body: person });
  const context = await browser.newContext({ ...consoleBrowser, baseURL: productUrl, storageState: await sessionOf(productUrl, person) });
  return context.newPage();
}

/** Signs in through the form and waits for the console. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await open(page, "/sign-in?callbackUrl=/tools");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/tools$/);
  await expect(page.getByRole("heading", { level: 1, name: "Tools" })).toBeVisible();
  await listening(page);
}
