import { realpathSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import { checkBrowser } from "./browser-check";
import { findProgram } from "./find-program";

vi.setConfig({ testTimeout: 120_000 });

test("the doctor starts the browser and tells its version", async () => {
  const result = await checkBrowser(findProgram());
  expect(result.status).toBe(sandboxStatus().isOn ? "ok" : "warning");
  expect(result.sentence).toMatch(/^browser_use starts \/\S+, version \d+\.\d+\.\d+\.\d+, (in the|without a) sandbox/);
});

test("a browser that does not start fails with what it printed, and with the way out", async () => {
  // A program that is no browser, in a folder that the sandbox shows.
  const file = realpathSync("/usr/bin/env");
  expect(await checkBrowser({ ok: true, file, folders: [] })).toEqual({
    name: "Browser",
    status: "failed",
    sentence: expect.stringMatching(/^browser_use cannot use \S+\. The browser did not start: .*help.*\.$/),
    wayOut: "Install Chromium again with its libraries, or name another browser in CHROME_PATH, and restart Handrail.",
  });
});

test("without a browser the doctor warns, because only browser_use needs one", async () => {
  const reason = "There is no Chromium or Chrome on this machine.";
  expect(await checkBrowser({ ok: false, reason })).toMatchObject({ status: "warning", sentence: `browser_use is unavailable. ${reason}` });
});
