import type { JsonObject } from "@/contracts/common";
import { callsOut, type HookActionType } from "@/contracts/hooks/hook-actions";
import type { HookChange, HookOutcome, HookStep } from "@/contracts/hooks/hooks";
import { storableObject, storableText } from "@/server/platform/database/storable";
import { toErrorMessage } from "@/server/platform/errors";
import { maskInText, maskSecrets } from "@/server/secrets/mask-secrets";
import { changesBetween, findHiddenPlaces, withoutHidden } from "./changes-between";
import type { CompiledHook } from "./compile-hook";
import type { HookContext, HookEffect, HookOutbound } from "./hook-context";
import type { Refusal } from "./refusal-sentences";

/** One run of a hook: its step, and the data and audit fields to record. */
export type HookRan = { step: HookStep; data: JsonObject; audit: JsonObject | null };

export type HookChain = {
  /** The value after all hooks. */
  value: JsonObject;
  /** The reason to stop: after a `before_*` event the call or request is not made, otherwise the result is withheld. */
  refusal: Refusal | null;
  /** The result that replaces an error. */
  supplied: string | JsonObject | null;
  /** The guard's reason why a deciding program did not get the value; the hooks after that hook did not run. */
  withheld: string | null;
  ran: HookRan[];
};

/** Input and output that hook runs need. */
export type HookIo = {
  outboundFor: (hook: CompiledHook, hookContext: HookContext, signal: AbortSignal) => HookOutbound;
  /** Counts a run of a hook that calls another program; false when the hook is over its rate. */
  takeRun: (hook: CompiledHook) => boolean;
  /** Returns the guard's reason against sending a value to another program; null allows it. Absent: every value may be sent. */
  whyWithheld?: (value: JsonObject) => Promise<string | null>;
  /** Writes an audit row before the hook counts as done. */
  writeAudit: (ran: HookRan, hookContext: HookContext) => Promise<void>;
};

/** Tells whether a hook only listens: a webhook without `decides`, which may be skipped because it never stops a value. */
const onlyListens = ({ action }: CompiledHook): boolean => action.type === "webhook" && !action.decides;

/** Actions that hide or refuse data, at whatever event they run. */
const protecting: ReadonlySet<HookActionType> = new Set(["redact", "mask", "filter", "validate", "deny"]);

/** Tells whether a failed hook stops the value: every hook before a call or request, and every protecting hook after it. */
const failsClosed = ({ event, action }: CompiledHook): boolean => event.startsWith("before_") || protecting.has(action.type);

/**
 * Runs hooks in order, each on the value that the previous hook returned. A hook that throws, times out or is over its rate
 * refuses the value when it runs before a call or its action hides or checks data (fail closed). Any other failed hook
 * changes nothing (fail open). Both cases are recorded.
 */
export async function runHooks(
  hooks: readonly CompiledHook[],
  hookContext: HookContext,
  first: JsonObject,
  io: HookIo,
): Promise<HookChain> {
  const chain: HookChain = { value: first, refusal: null, supplied: null, withheld: null, ran: [] };
  for (const hook of hooks) {
    // Cache hooks look up the value that all other hooks have left: see look-up-answer.
    if (hook.action.type === "cache") continue;
    const now = withRewrittenArguments(hookContext, chain.value);
    if (!hook.matches(now).isMatch) continue;
    const withheld = callsOut(hook.action.type) ? ((await io.whyWithheld?.(chain.value)) ?? null) : null;
    if (withheld !== null) {
      chain.ran.push(notSent(hook));
      if (onlyListens(hook)) continue;
      chain.withheld = withheld;
      break;
    }
    const { ran, effect, failure } = await runHook(hook, now, chain.value, io);
    chain.ran.push(ran);
    if (effect?.kind === "changed") chain.value = effect.value;
    if (effect?.kind === "supplied") chain.supplied ??= effect.result;
    if (effect?.kind === "refused") chain.refusal = { hook: hook.name, kind: "said", reason: effect.reason };
    if (failure !== null && failsClosed(hook)) chain.refusal = { hook: hook.name, kind: "could_not", reason: failure };
    if (chain.refusal) break;
  }
  const hidden = findHiddenPlaces(chain.ran.flatMap(({ step }) => step.changes));
  if (hidden.length > 0) for (const { step } of chain.ran) step.changes = step.changes.map((change) => keepHidden(change, hidden));
  return chain;
}

/** Shows argument patterns the value that earlier hooks rewrote; after a tool, the arguments that the tool ran with. */
function withRewrittenArguments(hookContext: HookContext, value: JsonObject): HookContext {
  return hookContext.arguments !== value && (hookContext.event === "before_tool" || hookContext.tool === null)
    ? { ...hookContext, arguments: value }
    : hookContext;
}

function keepHidden(change: HookChange, hidden: readonly string[]): HookChange {
  return change.hidden ? change : (withoutHidden([change], hidden)[0] ?? change);
}

type Run = {
  ran: HookRan;
  effect: HookEffect | null;
  /** The reason why the hook failed; null after success, or when a skipped hook only listens. */
  failure: string | null;
};

async function runHook(hook: CompiledHook, hookContext: HookContext, value: JsonObject, io: HookIo): Promise<Run> {
  const begun = performance.now();
  const told = (outcome: HookOutcome, message: string | null, changes: HookChange[] = [], data: JsonObject = {}): HookRan => ({
    step: {
      hookId: hook.id,
      name: hook.name,
      event: hook.event,
      action: hook.action.type,
      outcome,
      message: message === null ? null : maskInText(storableText(message)).slice(0, 2_000),
      durationMs: Math.round((performance.now() - begun) * 1_000) / 1_000,
      changes,
    },
    data: storableObject(maskSecrets(data) as JsonObject),
    audit: null,
  });
  if (callsOut(hook.action.type) && !io.takeRun(hook)) {
    const message = `It has run ${hook.ratePerMinute} times within a minute, which is as often as it may`;
    return { ran: told("skipped", message), effect: null, failure: onlyListens(hook) ? null : message };
  }
  const limit = new AbortController();
  const { promise: timeIsUp, reject } = Promise.withResolvers<never>();
  timeIsUp.catch(() => {});
  const tooLate = new Error(`it took longer than ${hook.timeoutMs / 1_000} s`);
  const timer = setTimeout(() => {
    limit.abort(tooLate);
    reject(tooLate);
  }, hook.timeoutMs);
  try {
    const acting = (async () => hook.act(value, hookContext, io.outboundFor(hook, hookContext, limit.signal)))();
    const effect = await Promise.race([acting, timeIsUp]);
    const ran = makeRunRecorder(effect, value, told);
    if (effect.kind === "kept" && effect.audit) {
      ran.audit = storableObject(effect.audit);
      await Promise.race([io.writeAudit(ran, hookContext), timeIsUp]);
    }
    return { ran, effect, failure: null };
  } catch (error) {
    const isLate = limit.signal.aborted;
    const message = isLate ? tooLate.message : toErrorMessage(error);
    return { ran: told(isLate ? "timed_out" : "failed", message), effect: null, failure: message };
  } finally {
    clearTimeout(timer);
    limit.abort();
  }
}

function notSent({ id, name, event, action }: CompiledHook): HookRan {
  const message = "Not sent, because the guard denies the call";
  return {
    step: { hookId: id, name, event, action: action.type, outcome: "unchanged", message, durationMs: 0, changes: [] },
    data: {},
    audit: null,
  };
}

function makeRunRecorder(
  effect: HookEffect,
  before: JsonObject,
  told: (outcome: HookOutcome, message: string | null, changes?: HookChange[], data?: JsonObject) => HookRan,
): HookRan {
  switch (effect.kind) {
    case "kept":
      return told("unchanged", effect.message ?? null, [], effect.data);
    case "changed": {
      const changes = changesBetween(before, effect.value, { hides: effect.hides ?? false });
      return told(changes.length > 0 ? "changed" : "unchanged", effect.message ?? null, changes);
    }
    case "refused":
      return told("denied", effect.reason);
    case "supplied":
      return told(
        "changed",
        `It supplied a result in place of the error: ${typeof before.text === "string" ? before.text : JSON.stringify(before)}`.slice(
          0,
          500,
        ),
      );
  }
}
