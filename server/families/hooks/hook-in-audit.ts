import type { JsonObject } from "@/contracts/common";
import { callsOut, type HookAction } from "@/contracts/hooks/hook-actions";
import type { HookDraft } from "@/contracts/hooks/hooks";
import { withoutAddress } from "./present-hook";

/** Returns the audit's form of a hook, which keeps only the host of an address. */
export function hookInAudit(hook: Omit<HookDraft, "ratePerMinute"> & { ratePerMinute: number }): JsonObject {
  const { name, event, match, order, enabled, timeoutMs, ratePerMinute } = hook;
  return {
    name,
    event,
    match,
    action: withoutAddress(hook.action) satisfies HookAction,
    order,
    enabled,
    timeoutMs,
    ratePerMinute: callsOut(hook.action.type) ? ratePerMinute : null,
  };
}
