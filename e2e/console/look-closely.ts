import type { Browser, Page } from "@playwright/test";
import { identityEndpoints } from "@/contracts/identity";
import type { Role } from "@/contracts/permissions";
import { type Callers, expect } from "../fixtures";
import { foundByAxe } from "./axe";

const softly = expect.configure({ soft: true });

/** What is open now is accessible and, on a phone too, no wider than the window. The window gets its size back. */
export async function lookClosely(page: Page, what: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  for (const width of [size.width, 390]) {
    await page.setViewportSize({ width, height: 844 });
    // The frame takes a moment to follow the window.
    await softly
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), {
        message: `${what} at ${width} px is wider than the window`,
      })
      .toBeLessThanOrEqual(0);
    await atRest(page);
    const found = await foundByAxe(page, { colours: width === size.width });
    expect.soft(found, `${what} at ${width} px by axe`).toEqual([]);
  }
  await page.setViewportSize(size);
}

/** Waits for what fades and slides to have arrived: half transparent, no colour is what it will be. */
async function atRest(page: Page): Promise<void> {
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

/** Waits until React has taken over what the server drew. */
async function listening(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const heading = document.querySelector("main h1");
    return heading !== null && Object.keys(heading).some((key) => key.startsWith("__react"));
  });
}

/** A page of the console, signed in as a new member with this role. */
export async function pageOfMember(browser: Browser, productUrl: string, api: Callers, role: Role): Promise<Page> {
  const person = { email: `${role}-${crypto.randomUUID()}@example.com`, password: crypto.randomUUID(), name: `A new ${role}`, role };
  await api.admin.call(identityEndpoints.createUser, { body: person });
  const context = await browser.newContext({ baseURL: productUrl });
  const page = await context.newPage();
  await signIn(page, person.email, person.password);
  return page;
}

/** Signs in through the form and waits for the console. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto("/sign-in?callbackUrl=/tools");
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/tools$/);
  await expect(page.getByRole("heading", { level: 1, name: "Tools" })).toBeVisible();
  await listening(page);
}
