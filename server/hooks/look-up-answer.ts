import type { JsonObject } from "@/contracts/common";
import type { HookStep } from "@/contracts/hooks/hooks";
import { cachesFor, keptAnswer } from "./answer-cache";
import type { CompiledHook } from "./compile-hook";
import type { HookContext } from "./hook-context";
import type { HookRan } from "./run-hooks";

/**
 * Looks up a cached answer for a call or a request. The key is the value after all other hooks, so that two values that
 * hooks have made equal share an answer.
 */
export function lookUpAnswer(
  hooks: readonly CompiledHook[],
  hookContext: HookContext,
  value: JsonObject,
): { answer: JsonObject | null; ran: HookRan[] } {
  const caches = cachesFor(hooks, hookContext);
  const begun = performance.now();
  const found = keptAnswer(caches, hookContext, value);
  const told = (hook: CompiledHook, outcome: HookStep["outcome"], message: string): HookRan => ({
    step: {
      hookId: hook.id,
      name: hook.name,
      event: hook.event,
      action: hook.action.type,
      outcome,
      message,
      durationMs: Math.round((performance.now() - begun) * 1_000) / 1_000,
      changes: [],
    },
    data: {},
    audit: null,
  });
  if (!found) return { answer: null, ran: caches.map((hook) => told(hook, "unchanged", "No answer was kept")) };
  const { hook, answer } = found;
  return { answer: answer.value, ran: [told(hook, "answered", `Answered with what was kept at ${new Date(answer.keptAt).toISOString()}`)] };
}
