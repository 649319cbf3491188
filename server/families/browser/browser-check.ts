import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import type { Check } from "@/server/platform/doctor-checks";
import { findProgram } from "./find-program";

/** A missing browser is a warning, because only browser_use needs it. */
export const browserCheck: Check = {
  name: "Browser",
  isOffline: true,
  run: () => {
    const program = findProgram();
    if (!program.ok) return [{ name: "Browser", status: "warning", sentence: `browser_use is unavailable. ${program.reason}` }];
    const { isOn } = sandboxStatus();
    const sentence = `browser_use runs ${program.file} ${isOn ? "in the sandbox" : "without a sandbox, because the machine has none"}.`;
    return [{ name: "Browser", status: isOn ? "ok" : "warning", sentence }];
  },
};
