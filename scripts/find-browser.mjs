import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

/** The headless shell first, because it draws no window and so needs a fifth less processor time. */
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "msedge"];
const macPaths = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * The Chrome or Chromium of this machine: the one in CHROME_PATH, else the first on the PATH or in the macOS places.
 * Plain JavaScript without packages, because `npm test` asks before anything is installed.
 * @param {string} [given] path of the browser; CHROME_PATH when absent
 * @returns {string | null} its path
 * @throws Error when CHROME_PATH names no program
 */
export function findBrowser(given = process.env.CHROME_PATH) {
  if (given) {
    if (!isExecutable(given)) throw new Error(`CHROME_PATH is ${given}, which is not a program that can be run`);
    return given;
  }
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
  const candidates = [...folders.flatMap((folder) => names.map((name) => path.join(folder, name))), ...macPaths];
  return candidates.find(isExecutable) ?? null;
}
