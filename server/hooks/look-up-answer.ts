import type { JsonObject } from "@/contracts/common";
import type { HookStep } from "@/contracts/hooks";
import { cachesFor, keptAnswer } from "./answer-cache";
import type { CompiledHook } from "./compile-hook";
import type { HookRan } from "./run-hooks";
import type { HookScene } from "./scene";

/**
 * Looks whether an answer was kept for what the other hooks have left of a call or a request, so that equal ones are equal
 * whatever was changed on the way. Only reads are kept.
 */
export function lookUpAnswer(
  hooks: readonly CompiledHook[],
  scene: HookScene,
  value: JsonObject,
): { answer: JsonObject | null; ran: HookRan[] } {
  const caches = cachesFor(hooks, scene);
  const begun = performance.now();
  const found = keptAnswer(caches, scene, value);
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
