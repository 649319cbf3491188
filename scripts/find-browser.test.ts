import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { findBrowser } from "./find-browser.mjs";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "handrail-browser-"));
  vi.stubEnv("PATH", folder);
  vi.stubEnv("CHROME_PATH", "");
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function makeProgram(name: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, "");
  chmodSync(file, 0o755);
  return file;
}

test("Chromium on the PATH is found and preferred to Chrome, and the headless shell to both", () => {
  makeProgram("google-chrome");
  expect(findBrowser()).toBe(path.join(folder, "google-chrome"));
  makeProgram("chromium");
  expect(findBrowser()).toBe(path.join(folder, "chromium"));
  makeProgram("chromium-headless-shell");
  expect(findBrowser()).toBe(path.join(folder, "chromium-headless-shell"));
});

test("the browser named in CHROME_PATH is taken before any other", () => {
  makeProgram("chromium");
  vi.stubEnv("CHROME_PATH", makeProgram("my-browser"));
  expect(findBrowser()).toBe(path.join(folder, "my-browser"));
});

test("a CHROME_PATH that leads nowhere is said, not passed over", () => {
  makeProgram("chromium");
  vi.stubEnv("CHROME_PATH", path.join(folder, "gone"));
  expect(() => findBrowser()).toThrow(/CHROME_PATH/);
});

test("a folder or a file that cannot be run is no browser", () => {
  mkdirSync(path.join(folder, "chromium"));
  writeFileSync(path.join(folder, "google-chrome"), "");
  chmodSync(path.join(folder, "google-chrome"), 0o644);
  const found = findBrowser();
  expect(found === null || found.startsWith("/Applications/")).toBe(true);
});
