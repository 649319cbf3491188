import "server-only";
import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import type { GuardContext } from "@/server/guard/guard-request";
import { env } from "@/server/platform/env";

/** Returns the sandbox part of a call's context, which is the same for calls of turns, evaluations and simulations. */
export function programContext(): Pick<GuardContext, "sandboxed" | "privateHosts"> {
  return { sandboxed: sandboxStatus().isOn, privateHosts: env().sandbox.privateHosts };
}
