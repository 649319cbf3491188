import "server-only";
import type { Locator } from "playwright-core";
import { AppError } from "@/server/platform/errors";
import type { Perform } from "./action-done";
import type { ActionName, ActionRun } from "./browser-action";
import { elementOf, isFileField } from "./element-of";
import { callable } from "./evaluated-code";
import { browserProgram } from "./find-program";
import { goBack } from "./go-back";
import { noLines } from "./known-lines";
import { quoted } from "./news";
import { openPage } from "./open-page";
import { cutPage, readSnapshot, rememberLines } from "./page-snapshot";
import { scrollPage } from "./scroll-page";
import { idleMs, maxSessions, openSessions } from "./sessions";
import { uploadFiles } from "./upload-files";

const maxLinks = 100;
const maxScreenshotBytes = 20 * 1_048_576;

const nameOf = ({ ref, selector }: ActionRun): string => (ref === undefined ? quoted(selector ?? "") : `@${ref}`);
const limits = ({ signal, timeout }: ActionRun) => ({ signal, timeout });

/** Every action on a running browser. */
export const actions: Record<Exclude<ActionName, "start" | "stop">, Perform> = {
  async open(session, run) {
    const response = await openPage(session, run);
    const status = response ? `: status ${response.status()}` : ". It was no page";
    return { said: `Opened ${run.url}${status}.`, changesPage: true, facts: { status: response?.status() ?? null } };
  },

  async snapshot(session, run) {
    const text = await readSnapshot(session, run.signal, run.timeout);
    const external = cutPage(text, run.offset);
    rememberLines(session, text.split("\n"), new Set(external.split("\n")));
    return { said: "Snapshot of the page:", external, facts: { characters: text.length } };
  },

  async extract(session, run) {
    const isPart = run.ref !== undefined || run.selector !== undefined;
    const element = isPart ? await elementOf(session, run) : session.page.locator("body");
    // biome-ignore lint/performance/useDomNodeTextContent: hidden text of a page is often meant for machines only.
    const text = await element.innerText(limits(run));
    const links = await element
      .locator("a[href]")
      .evaluateAll(
        (anchors, most) =>
          anchors
            .slice(0, most)
            .map(
              (anchor) =>
                `- ${(anchor.textContent ?? "").trim().replaceAll(/\s+/g, " ").slice(0, 100)}: ${(anchor as HTMLAnchorElement).href}`,
            ),
        maxLinks,
      );
    const whole = [text.trim(), ...(links.length > 0 ? ["", "Links:", ...links] : [])].join("\n");
    return {
      said: `Text of ${isPart ? nameOf(run) : "the page"}:`,
      external: cutPage(whole, run.offset),
      facts: { characters: whole.length },
    };
  },

  async screenshot(session, run) {
    const isPart = run.ref !== undefined || run.selector !== undefined;
    const options = { ...limits(run), type: "png", animations: "disabled", scale: "css" } as const;
    const bytes = isPart
      ? await (await elementOf(session, run)).screenshot(options)
      : await session.page.screenshot({ ...options, fullPage: run.fullPage });
    if (bytes.byteLength > maxScreenshotBytes) throw new AppError("too_large", "The screenshot is larger than 20 MiB. Leave fullPage out.");
    return { said: "Took a screenshot.", files: [{ name: "screenshot.png", mediaType: "image/png", bytes }] };
  },

  async current_surface(session) {
    const pages = session.context.pages();
    const tabs = await Promise.all(
      pages.map(
        async (page, index) =>
          `${index + 1}. ${page.url()} ${quoted(await page.title().catch(() => ""))}${page === session.page ? " (current)" : ""}`,
      ),
    );
    return {
      said: `${pages.length} ${pages.length === 1 ? "tab is" : "tabs are"} open.`,
      external: ["Tabs:", ...tabs].join("\n"),
      facts: { tabs: pages.length },
    };
  },

  async wait_for(session, run) {
    const { page } = session;
    const { condition, text, url } = run;
    if (condition === "load" || condition === "network_idle") {
      await page.waitForLoadState(condition === "load" ? "load" : "networkidle", limits(run));
      return { said: "The page has loaded.", changesPage: true };
    }
    if (url !== undefined) {
      await page.waitForURL((address) => address.href.includes(url), { ...limits(run), waitUntil: "domcontentloaded" });
      return { said: `The address now contains ${quoted(url)}.`, changesPage: true };
    }
    const element = text === undefined ? await elementOf(session, run) : page.getByText(text);
    await element.first().waitFor({ ...limits(run), state: condition });
    return { said: `${text === undefined ? nameOf(run) : quoted(text)} is ${condition}.`, changesPage: true };
  },

  async click(session, run) {
    const element = await elementOf(session, run);
    await refuseFileField(element, run);
    await element.click(limits(run));
    return { said: `Clicked ${nameOf(run)}.`, changesPage: true };
  },

  async type(session, run) {
    const element = await elementOf(session, run);
    await refuseFileField(element, run);
    await element.fill(run.text ?? "", limits(run));
    if (run.submit) await element.press("Enter", limits(run));
    return { said: `Typed into ${nameOf(run)}${run.submit ? " and pressed Enter" : ""}.`, changesPage: true };
  },

  async select(session, run) {
    const chosen = await (await elementOf(session, run)).selectOption(run.value ?? "", limits(run));
    return { said: `Selected ${chosen.map(quoted).join(", ")} in ${nameOf(run)}.`, changesPage: true };
  },

  upload: uploadFiles,

  async press(session, run) {
    const key = run.key ?? "";
    if (run.ref !== undefined || run.selector !== undefined) await (await elementOf(session, run)).press(key, limits(run));
    else await session.page.keyboard.press(key);
    return { said: `Pressed ${quoted(key)}.`, changesPage: true };
  },

  async hover(session, run) {
    await (await elementOf(session, run)).hover(limits(run));
    return { said: `The pointer is over ${nameOf(run)}.`, changesPage: true };
  },

  scroll: scrollPage,

  async eval(session, run) {
    const value: unknown = await session.page.evaluate(callable(run.code ?? ""));
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined");
    return { said: "The code's value:", external: cutPage(text, run.offset) };
  },

  navigate_back: goBack,

  async switch_tab(session, run) {
    const pages = session.context.pages();
    const page = pages[(run.tab ?? 0) - 1];
    if (!page) throw new AppError("not_found", `There is no tab ${run.tab}; ${pages.length} are open. current_surface lists them.`);
    session.page = page;
    session.known = noLines;
    await page.bringToFront();
    return { said: `Tab ${run.tab} is the current one.`, changesPage: true };
  },

  async diagnose(session) {
    const { launched } = session;
    const program = browserProgram();
    const lines = [
      `Browser: ${launched.browser.version()}${program.ok ? ` (${program.file})` : ""}.`,
      launched.isConfined ? "It runs in the sandbox, in a network namespace of its own." : "It runs without a sandbox.",
      `${openSessions()} of ${maxSessions} browsers are open here. A browser is closed after ${idleMs / 60_000} minutes without use.`,
    ];
    return { said: lines.join("\n") };
  },
};

/** @throws AppError `invalid` for a field for files, because neither a click nor typing fills it */
async function refuseFileField(element: Locator, run: ActionRun): Promise<void> {
  if (!(await isFileField(element, limits(run)))) return;
  throw new AppError("invalid", `${nameOf(run)} is a field for files. Use action=upload with path, a file of the workspace.`);
}
