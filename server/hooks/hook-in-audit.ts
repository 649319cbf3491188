import type { JsonObject } from "@/contracts/common";
import type { HookAction } from "@/contracts/hook-actions";
import type { HookDraft } from "@/contracts/hooks";
import { withoutAddress } from "./present-hook";

/** What the audit keeps of a hook: of an address only the host. */
export function hookInAudit(hook: HookDraft): JsonObject {
  const { name, event, match, order, enabled, timeoutMs, ratePerMinute } = hook;
  return { name, event, match, action: withoutAddress(hook.action) satisfies HookAction, order, enabled, timeoutMs, ratePerMinute };
}
