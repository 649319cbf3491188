import "server-only";
import type { JsonObject } from "@/contracts/common";
import { trialMeans } from "@/server/hooks/hook-means";
import { type HookChain, runHooks } from "@/server/hooks/run-hooks";
import type { PreparedCall } from "@/server/tools/prepare-call";
import { sceneOf } from "./hook-scene";
import type { CallRow } from "./present-turn";
import type { TurnContext } from "./turn-context";

type Prepared = Extract<PreparedCall, { kind: "ready" }>;

/** A call whose arguments fit only with what hooks put there, and the runs of those hooks. */
export type Filled = { call: Prepared; arguments: JsonObject; ran: HookChain["ran"] };

/**
 * What `set` and `inject` hooks make of arguments that do not fit the tool's schema, when they fit then: nothing is missing
 * that a hook provides. All hooks see the call afterwards, as it was parsed with that.
 */
export async function fillUnfit(
  context: TurnContext,
  row: CallRow,
  { unfit }: Extract<PreparedCall, { kind: "failed" }>,
): Promise<Filled | null> {
  const providers = context.hooks.before_tool.filter(({ action }) => action.type === "set" || action.type === "inject");
  if (!unfit || providers.length === 0) return null;
  const { tool, arguments: args, ...call } = unfit;
  const scene = sceneOf(context, row.id, "before_tool", unfit.registered, args);
  // They count as run when they run with the others.
  const { value, ran, refusal } = await runHooks(providers, scene, args, trialMeans);
  if (refusal) return null;
  const parsed = tool.parse(value);
  if (!parsed.ok) return null;
  const changed = ran.filter(({ step }) => step.outcome === "changed");
  return { call: { kind: "ready", tool, ...call, arguments: parsed.value }, arguments: args, ran: changed };
}

/** A hook that has put something there already has nothing to tell of finding it. */
export function withFilled({ ran, ...chain }: HookChain, filled: Filled): HookChain {
  const filledBy = new Set(filled.ran.map(({ step }) => step.hookId));
  const others = ran.filter(({ step }) => step.outcome !== "unchanged" || !filledBy.has(step.hookId));
  return { ...chain, ran: [...filled.ran, ...others] };
}
