import "server-only";
import type { JsonObject } from "@/contracts/common";
import { trialHookIo } from "@/server/hooks/hook-io";
import { type HookChain, runHooks } from "@/server/hooks/run-hooks";
import type { PreparedCall } from "@/server/tools/prepare-call";
import type { CallRow } from "../read/present-turn";
import type { TurnContext } from "../turn-context";
import { toHookContext } from "./call-hook-context";

type Prepared = Extract<PreparedCall, { kind: "ready" }>;

/** A call whose arguments fit the schema only after hooks filled them, with the runs of those hooks. */
export type Filled = { call: Prepared; arguments: JsonObject; ran: HookChain["ran"] };

/**
 * Fills arguments that do not fit the tool's schema from `set` and `inject` hooks; returns null when they still do not
 * fit. Afterwards all hooks run on the filled and parsed call.
 */
export async function fillUnfit(
  context: TurnContext,
  row: CallRow,
  { unfit }: Extract<PreparedCall, { kind: "failed" }>,
): Promise<Filled | null> {
  const providers = context.hooks.before_tool.filter(({ action }) => action.type === "set" || action.type === "inject");
  if (!unfit || providers.length === 0) return null;
  const { tool, arguments: args, ...call } = unfit;
  const hookContext = toHookContext(context, row.id, "before_tool", unfit.registered, args);
  // A trial run, because these hooks count as run when all hooks run later.
  const { value, ran, refusal } = await runHooks(providers, hookContext, args, trialHookIo);
  if (refusal) return null;
  const parsed = tool.parse(value);
  if (!parsed.ok) return null;
  const changed = ran.filter(({ step }) => step.outcome === "changed");
  return { call: { kind: "ready", tool, ...call, arguments: parsed.value }, arguments: args, ran: changed };
}

/** Adds the filling runs to a chain, and drops the `unchanged` runs of the same hooks. */
export function withFilled({ ran, ...chain }: HookChain, filled: Filled): HookChain {
  const filledBy = new Set(filled.ran.map(({ step }) => step.hookId));
  const others = ran.filter(({ step }) => step.outcome !== "unchanged" || !filledBy.has(step.hookId));
  return { ...chain, ran: [...filled.ran, ...others] };
}
