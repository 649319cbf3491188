import type { JsonObject } from "@/contracts/common";
import type { HookAction } from "@/contracts/hook-actions";
import { canonicalJson } from "@/server/platform/canonical-json";
import { sha256 } from "@/server/platform/crypto";
import { processWide } from "@/server/platform/process-wide";
import type { CompiledHook } from "./compile-hook";
import type { HookScene } from "./scene";

export type KeptAnswer = { value: JsonObject; keptAt: number };
type Entry = KeptAnswer & { until: number; chars: number };

const longestAnswer = 262_144;
const mostChars = 33_554_432;

/** Answers of this replica: each one keeps its own. */
const memory = () => processWide("hooks.answers", () => ({ entries: new Map<string, Entry>(), chars: 0 }));

/** Tools that see a conversation's own folder or state: their answers mean something there only, whatever the scope says. */
const ofOneConversation = ["files", "shell", "jobs", "disclosure"];

type CacheAction = Extract<HookAction, { type: "cache" }>;
type CacheHook = CompiledHook & { action: CacheAction };

const isCacheHook = (hook: CompiledHook): hook is CacheHook => hook.action.type === "cache";

/**
 * Cache hooks that are for a call or a request: answers of tools that do more than read are never kept, and those of a
 * model only for whom they are told by.
 */
export function cachesFor(hooks: readonly CompiledHook[], scene: HookScene): CacheHook[] {
  if (scene.tool ? scene.tool.effect !== "read" : !scene.toldBy) return [];
  return hooks.filter(isCacheHook).filter((hook) => hook.matches(scene).isMatch);
}

/** The first answer that one of the hooks has kept for this value. */
export function keptAnswer(hooks: readonly CacheHook[], scene: HookScene, value: JsonObject, now = Date.now()) {
  for (const hook of hooks) {
    const found = memory().entries.get(keyOf(hook, scene, value));
    if (found && found.until > now) return { hook, answer: found };
  }
  return null;
}

/** Keeps an answer for each of the hooks; too long ones are not kept. */
export function keepAnswer(hooks: readonly CacheHook[], scene: HookScene, value: JsonObject, answer: JsonObject, now = Date.now()): void {
  const chars = JSON.stringify(answer).length;
  if (chars > longestAnswer) return;
  const held = memory();
  for (const hook of hooks) {
    const key = keyOf(hook, scene, value);
    drop(key);
    held.entries.set(key, { value: answer, keptAt: now, until: now + hook.action.ttlSeconds * 1_000, chars });
    held.chars += chars;
  }
  // The first entry is the one that was kept longest ago.
  for (const key of held.entries.keys()) {
    if (held.chars <= mostChars) break;
    drop(key);
  }
}

function drop(key: string): void {
  const held = memory();
  held.chars -= held.entries.get(key)?.chars ?? 0;
  held.entries.delete(key);
}

/**
 * Another version of the hook, another scope, another value: another key. What a runtime says that a model answered is for
 * that runtime only, whatever the scope: it could say anything, and others would take it for the model's word.
 */
function keyOf({ id, version, action }: CacheHook, scene: HookScene, value: JsonObject): string {
  const { workspaceId, agent, conversationId, tool, toldBy } = scene;
  const isOfConversation = action.scope === "conversation" || ofOneConversation.some((need) => tool?.needs.includes(need));
  const owner = isOfConversation ? conversationId : action.scope === "agent" ? agent.id : null;
  const teller = tool || !toldBy ? null : { type: toldBy.type, id: toldBy.id };
  return sha256(canonicalJson({ id, version, workspaceId, owner, teller, tool: tool?.name ?? null, value }));
}
