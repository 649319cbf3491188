import "server-only";
import type { Page, Response } from "playwright-core";
import { AppError, toErrorMessage } from "@/server/platform/errors";
import type { ActionRun } from "./browser-action";
import type { BrowserSession } from "./browser-session";

const emptyPage = "about:blank";
const maxTries = 3;
const errorPageMs = 1_000;

/** Statuses with which the proxy answers in the place of a host that was refused, or that did not answer. */
const proxyStatuses = { refused: 403, failed: 502, reached: 0 };

/**
 * Opens an address. Returns null for a download, which is no page.
 * @throws AppError with the proxy's reason when the connection was refused or failed
 */
export async function openPage({ page, troubles }: BrowserSession, run: ActionRun): Promise<Response | null> {
  const { signal, timeout } = run;
  try {
    const response = await navigate(page, run);
    const place = response ? placeOf(response.url()) : null;
    const trouble = troubles.find(({ host, port }) => `${host}:${port}` === place);
    if (!trouble?.reason || response?.status() !== proxyStatuses[trouble.outcome]) return response;
    throw new AppError(trouble.outcome === "refused" ? "forbidden" : "unavailable", trouble.reason);
  } catch (error) {
    const message = toErrorMessage(error);
    // A download is no page: Chromium aborts the navigation.
    if (/Download is starting|net::ERR_ABORTED/.test(message)) return null;
    // Chromium still opens its own error page, which would interrupt the next navigation.
    if (/net::ERR_/.test(message))
      await page.waitForURL(/^chrome-error:/, { timeout: errorPageMs, waitUntil: "commit", signal }).catch(() => {});
    await page.goto(emptyPage, { signal, timeout }).catch(() => {});
    throw error;
  }
}

async function navigate(page: Page, { url = emptyPage, signal, timeout }: ActionRun): Promise<Response | null> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await page.goto(url, { signal, timeout, waitUntil: "domcontentloaded" });
    } catch (error) {
      if (tries === maxTries || !/interrupted by another navigation/.test(toErrorMessage(error))) throw error;
    }
  }
}

/** Returns the host and port of an address as the proxy names them. */
function placeOf(address: string): string | null {
  const url = URL.parse(address);
  return url && `${url.hostname.replace(/^\[|\]$/g, "")}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
}
