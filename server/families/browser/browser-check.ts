import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import { isAppError } from "@/server/platform/errors";
import type { Check, CheckResult } from "@/server/platform/extension-points/doctor-checks";
import { type BrowserProgram, findProgram } from "./find-program";
import { launchProgram } from "./launch-browser";

const startMs = 25_000;
/** Time for ending the browser again, on a slow machine. */
const endMs = 15_000;
/** A check belongs to no conversation. */
const noServers = { has: () => false, connect: () => Promise.reject(new Error("A check has no servers of its own")) };

export const browserCheck: Check = {
  name: "Browser",
  isOffline: true,
  limitMs: startMs + endMs,
  run: async () => [await checkBrowser(findProgram())],
};

/**
 * Starts the browser as browser_use does, without a page, and ends it. A missing browser is a warning, because only
 * browser_use needs it; one that does not start is a failure, because models are offered the tool.
 */
export async function checkBrowser(program: BrowserProgram): Promise<CheckResult> {
  const name = "Browser";
  if (!program.ok) return { name, status: "warning", sentence: `browser_use is unavailable. ${program.reason}` };
  const { isOn } = sandboxStatus();
  try {
    const signal = new AbortController().signal;
    const reach = { privateHosts: [], ownServers: noServers, onConnection: () => {} };
    const { browser, close } = await launchProgram(program, { ...reach, signal, startMs });
    const version = browser.version();
    await close();
    const sentence = `browser_use starts ${program.file}, version ${version}, ${isOn ? "in the sandbox" : "without a sandbox, because the machine has none"}.`;
    return { name, status: isOn ? "ok" : "warning", sentence };
  } catch (error) {
    if (!isAppError(error)) throw error;
    if (error.code === "timed_out") {
      const wayOut = "Run the doctor again when this machine is less busy.";
      return { name, status: "warning", sentence: `${error.message} browser_use itself waits longer.`, wayOut };
    }
    return {
      name,
      status: "failed",
      sentence: `browser_use cannot use ${program.file}. ${error.message}`,
      wayOut: "Install Chromium again with its libraries, or name another browser in CHROME_PATH, and restart Handrail.",
    };
  }
}
