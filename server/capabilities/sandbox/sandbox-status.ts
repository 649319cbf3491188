import "server-only";
import type { SandboxStatus } from "@/contracts/decisions/effects";
import { env } from "@/server/platform/env";
import { processWide } from "@/server/platform/process-wide";
import { probeSandbox } from "./probe-sandbox";

/** Returns whether calls run in the sandbox of this process; the first call probes. */
export function sandboxStatus(): SandboxStatus {
  return processWide("sandboxStatus", statusNow);
}

/** Returns a sentence that says why the process must not start; null when it may. */
export function sandboxRefusal(): string | null {
  const { setting, isOn, sentence } = sandboxStatus();
  return setting === "required" && !isOn ? `HANDRAIL_SANDBOX is required, and there is no sandbox: ${sentence}` : null;
}

function statusNow(): SandboxStatus {
  const { setting } = env().sandbox;
  if (setting === "off") {
    return {
      setting,
      isOn: false,
      kind: null,
      sentence: "HANDRAIL_SANDBOX is off, so commands run as Handrail's user and reach what it reaches. Set it to auto to confine them.",
    };
  }
  const probe = probeSandbox();
  return { setting, isOn: probe.works, kind: probe.works ? "bubblewrap" : null, sentence: probe.sentence };
}
