import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import type { Check } from "@/server/platform/extension-points/doctor-checks";

/** A missing sandbox is a failure, unless the operator switched it off. */
export const sandboxCheck: Check = {
  name: "Sandbox",
  isOffline: true,
  run: () => {
    const { setting, isOn, sentence } = sandboxStatus();
    const status = isOn ? "ok" : setting === "off" ? "warning" : "failed";
    return [{ name: "Sandbox", status, sentence }];
  },
};
