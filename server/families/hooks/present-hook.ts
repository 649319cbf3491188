import { callsOut, type HookAction } from "@/contracts/hooks/hook-actions";
import type { Hook, HookRun } from "@/contracts/hooks/hooks";
import type { hookRuns, hooks } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";

export type HookRow = typeof hooks.$inferSelect;

/**
 * Converts a hook's row to its public form; no other code does. An address is often a secret of its receiver, so only
 * actors who may change the hook see the whole address.
 */
export function presentHook(row: HookRow, { permissions }: Pick<Actor, "permissions">): Hook {
  const { id, name, event, match, order, enabled, timeoutMs, ratePerMinute, version } = row;
  const action = permissions.has("hooks:write") ? row.action : withoutAddress(row.action);
  return {
    id,
    name,
    event,
    match,
    action,
    order,
    enabled,
    timeoutMs,
    ratePerMinute: callsOut(action.type) ? ratePerMinute : null,
    availability: availabilityOf(row.action),
    version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Reduces the address of an action to its host. */
export function withoutAddress(action: HookAction): HookAction {
  if ((action.type !== "webhook" && action.type !== "judge") || action.url === null) return action;
  return { ...action, url: URL.parse(action.url)?.origin ?? "https://hidden.invalid" };
}

function availabilityOf(action: HookAction): Hook["availability"] {
  if (action.type !== "judge" || action.url !== null || action.agentId !== null) return { status: "available", reason: null };
  const reason = "No judge is configured. Choose an agent, or set the URL of a program that answers { allow, reason }.";
  return { status: "unavailable", reason };
}

export function presentHookRun(row: typeof hookRuns.$inferSelect): HookRun {
  const { workspaceId: _, createdAt, ...run } = row;
  return { ...run, at: createdAt.toISOString() };
}
