import "server-only";
import { realpathSync } from "node:fs";
import path from "node:path";
import { findBrowser } from "@/scripts/find-browser.mjs";
import { toErrorMessage } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";
import { chromePath } from "./environment";

/** The browser program of this machine, or the reason why none can be used, with the way out. */
export type BrowserProgram = { ok: true; file: string; folders: readonly string[] } | { ok: false; reason: string };

const wayOut =
  "Install Chromium (on Debian: apt-get install chromium-headless-shell), or name Chrome in CHROME_PATH, and restart Handrail.";

/** Finds the browser of this machine, once per process. */
export function browserProgram(): BrowserProgram {
  return processWide("browser.program", findProgram);
}

/** Finds the browser of this machine now. */
export function findProgram(): BrowserProgram {
  try {
    const found = findBrowser(chromePath.value());
    if (!found) return { ok: false, reason: `There is no Chromium or Chrome on this machine. ${wayOut}` };
    // The sandbox shows /usr anyway; a browser elsewhere (/opt/google/chrome) brings its folder.
    const file = realpathSync(found);
    return { ok: true, file, folders: file.startsWith("/usr/") ? [] : [path.dirname(file)] };
  } catch (error) {
    return { ok: false, reason: `${toErrorMessage(error)}. ${wayOut}` };
  }
}
