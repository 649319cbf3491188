import type { JsonObject } from "@/contracts/common";
import type { HookActionType } from "@/contracts/hook-actions";
import type { HookChange, HookOutcome, HookStep } from "@/contracts/hooks";
import { maskInText, maskSecrets } from "@/server/audit/mask-secrets";
import { messageOf } from "@/server/platform/errors";
import { storableObject, storableText } from "@/server/platform/storable";
import { changesBetween, hiddenPlaces, withoutHidden } from "./changes-between";
import type { CompiledHook } from "./compile-hook";
import type { Refusal } from "./refusal-sentences";
import type { HookEffect, HookReach, HookScene } from "./scene";

/** One run of a hook, with what its record says beside the step. */
export type HookRan = { step: HookStep; data: JsonObject; audit: JsonObject | null };

export type HookChain = {
  /** What the hooks have left. */
  value: JsonObject;
  /** Why it must not go on: for `before_*` nothing happens, else the result is withheld. */
  refusal: Refusal | null;
  /** What stands in for an error. */
  supplied: string | JsonObject | null;
  ran: HookRan[];
};

/** What the runs of hooks need from outside. */
export type HookMeans = {
  reachOf: (hook: CompiledHook, scene: HookScene, signal: AbortSignal) => HookReach;
  /** Counts a run; false when the hook has had its runs of this minute. */
  takeRun: (hook: CompiledHook) => boolean;
  /** Writes an audit row before the hook counts as done. */
  writeAudit: (ran: HookRan, scene: HookScene) => Promise<void>;
};

/** Actions that only look on: when one of them is skipped, nothing goes through that it would have changed or stopped. */
const onlookers: ReadonlySet<HookActionType> = new Set(["audit", "count_tokens"]);
const onlyLooksOn = ({ action }: CompiledHook): boolean => onlookers.has(action.type) || (action.type === "webhook" && !action.decides);

/**
 * Runs hooks one after the other, each on what the one before has left. A hook that throws, takes too long or is over its
 * rate stops what it runs before (fail closed) and changes nothing of what it runs after (fail open); both are told.
 */
export async function runHooks(hooks: readonly CompiledHook[], scene: HookScene, first: JsonObject, means: HookMeans): Promise<HookChain> {
  const chain: HookChain = { value: first, refusal: null, supplied: null, ran: [] };
  for (const hook of hooks) {
    // What is kept is looked up by the value that all others have left: see look-up-answer.
    if (hook.action.type === "cache") continue;
    const now = sceneWith(scene, chain.value);
    if (!hook.matches(now).isMatch) continue;
    const { ran, effect, failure } = await runHook(hook, now, chain.value, means);
    chain.ran.push(ran);
    if (effect?.kind === "changed") chain.value = effect.value;
    if (effect?.kind === "supplied") chain.supplied ??= effect.result;
    if (effect?.kind === "refused") chain.refusal = { hook: hook.name, kind: "said", reason: effect.reason };
    if (failure !== null && hook.event.startsWith("before_")) chain.refusal = { hook: hook.name, kind: "could_not", reason: failure };
    if (chain.refusal) break;
  }
  const hidden = hiddenPlaces(chain.ran.flatMap(({ step }) => step.changes));
  if (hidden.length > 0) for (const { step } of chain.ran) step.changes = step.changes.map((change) => keepHidden(change, hidden));
  return chain;
}

/** What an argument pattern sees has been rewritten by the hooks before; after a tool it is what the tool ran with. */
function sceneWith(scene: HookScene, value: JsonObject): HookScene {
  return scene.arguments !== value && (scene.event === "before_tool" || scene.tool === null) ? { ...scene, arguments: value } : scene;
}

function keepHidden(change: HookChange, hidden: readonly string[]): HookChange {
  return change.hidden ? change : (withoutHidden([change], hidden)[0] ?? change);
}

type Run = {
  ran: HookRan;
  effect: HookEffect | null;
  /** Why it did not do its work, where that matters. */
  failure: string | null;
};

async function runHook(hook: CompiledHook, scene: HookScene, value: JsonObject, means: HookMeans): Promise<Run> {
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
  if (!means.takeRun(hook)) {
    const message = `It has run ${hook.ratePerMinute} times within a minute, which is as often as it may`;
    return { ran: told("skipped", message), effect: null, failure: onlyLooksOn(hook) ? null : message };
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
    const acting = (async () => hook.act(value, scene, means.reachOf(hook, scene, limit.signal)))();
    const effect = await Promise.race([acting, timeIsUp]);
    const ran = tellOf(effect, value, told);
    if (effect.kind === "kept" && effect.audit) {
      ran.audit = storableObject(effect.audit);
      await Promise.race([means.writeAudit(ran, scene), timeIsUp]);
    }
    return { ran, effect, failure: null };
  } catch (error) {
    const isLate = limit.signal.aborted;
    const message = isLate ? tooLate.message : messageOf(error);
    return { ran: told(isLate ? "timed_out" : "failed", message), effect: null, failure: message };
  } finally {
    clearTimeout(timer);
    limit.abort();
  }
}

function tellOf(
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
