import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { findBrowser } from "./find-browser.mjs";

const advice = `The console journeys need Chrome or Chromium, and none was found. Install one, or name it in CHROME_PATH:
  Debian, Ubuntu   sudo apt-get update && sudo apt-get install -y chromium
  Fedora           sudo dnf install -y chromium
  macOS            brew install --cask google-chrome`;

/**
 * Finds the browser of this machine, and installs Debian's Chromium where we are root and there is none, and its headless
 * shell in CI, because it needs a fifth less processor time.
 * @returns {string | null} its path; null after saying what to do
 */
export function provideBrowser() {
  let present;
  try {
    present = findBrowser();
  } catch (error) {
    console.error(error.message);
    return null;
  }
  const isEnough = present && (!process.env.CI || process.env.CHROME_PATH || present.endsWith("headless-shell"));
  if (isEnough) return present;
  const mayInstall = process.getuid?.() === 0 && existsSync("/etc/debian_version");
  if (mayInstall) {
    console.log("Installing Debian's headless Chromium with apt-get ...");
    aptGet("update");
    // Not every release has the headless shell as a package of its own.
    for (const name of present ? ["chromium-headless-shell"] : ["chromium-headless-shell", "chromium"]) {
      const failure = aptGet("install", "-y", "--no-install-recommends", name);
      const installed = findBrowser();
      if (installed) return installed;
      if (failure) console.error(failure);
    }
  }
  if (present) return present;
  console.error(advice);
  return null;
}

/** @returns {string | null} what apt-get said when it failed */
function aptGet(...args) {
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, stdout, stderr, error } = spawnSync("apt-get", args, { env: environment, encoding: "utf8" });
  if (status === 0) return null;
  return error ? `apt-get cannot be run: ${error.message}` : `${stdout}${stderr}`.trimEnd();
}
