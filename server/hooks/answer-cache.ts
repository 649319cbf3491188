import { LRUCache } from "lru-cache";
import type { JsonObject } from "@/contracts/common";
import { conversationCapabilityNames } from "@/contracts/generated-tools";
import type { HookAction } from "@/contracts/hooks/hook-actions";
import { canonicalJson } from "@/contracts/lib/canonical-json";
import { sha256 } from "@/server/platform/crypto";
import { processWide } from "@/server/platform/process-wide";
import type { CompiledHook } from "./compile-hook";
import type { HookContext } from "./hook-context";

export type KeptAnswer = { value: JsonObject; keptAt: number };
type Entry = KeptAnswer & { until: number };

const maxAnswerChars = 262_144;
const maxChars = 33_554_432;

/** Cached answers of this replica. Replicas do not share them. */
const answers = () => processWide("hooks.answers", () => new LRUCache<string, Entry>({ maxSize: maxChars }));

/** Capabilities that depend on the conversation's folder or state. Answers of tools that need one stay in the conversation. */
const ofOneConversation: readonly string[] = conversationCapabilityNames;

type CacheAction = Extract<HookAction, { type: "cache" }>;
type CacheHook = CompiledHook & { action: CacheAction };

const isCacheHook = (hook: CompiledHook): hook is CacheHook => hook.action.type === "cache";

/**
 * Returns the cache hooks that match a call or a model request. Answers of tools with an effect other than `read` are never
 * cached. Answers of a model are cached only when the runtime that reports them is known.
 */
export function cachesFor(hooks: readonly CompiledHook[], hookContext: HookContext): CacheHook[] {
  if (hookContext.tool ? hookContext.tool.effect !== "read" : !hookContext.toldBy) return [];
  return hooks.filter(isCacheHook).filter((hook) => hook.matches(hookContext).isMatch);
}

/** Returns the first unexpired answer that one of the hooks has cached for this value. */
export function keptAnswer(hooks: readonly CacheHook[], hookContext: HookContext, value: JsonObject, now = Date.now()) {
  for (const hook of hooks) {
    const found = answers().get(keyOf(hook, hookContext, value));
    if (found && found.until > now) return { hook, answer: found };
  }
  return null;
}

/** Caches an answer for each of the hooks; too long answers are not cached. */
export function keepAnswer(
  hooks: readonly CacheHook[],
  hookContext: HookContext,
  value: JsonObject,
  answer: JsonObject,
  now = Date.now(),
): void {
  const chars = JSON.stringify(answer).length;
  if (chars > maxAnswerChars) return;
  for (const hook of hooks) {
    const entry = { value: answer, keptAt: now, until: now + hook.action.ttlSeconds * 1_000 };
    answers().set(keyOf(hook, hookContext, value), entry, { size: chars });
  }
}

/**
 * Computes the cache key from the hook's version, the scope and the value. Answers of a model are keyed by the runtime that
 * reported them, whatever the scope, because a runtime could report a false answer and poison the cache for others.
 */
function keyOf({ id, version, action }: CacheHook, hookContext: HookContext, value: JsonObject): string {
  const { workspaceId, agent, conversationId, tool, toldBy } = hookContext;
  const isOfConversation = action.scope === "conversation" || ofOneConversation.some((need) => tool?.needs.includes(need));
  const owner = isOfConversation ? conversationId : action.scope === "agent" ? agent.id : null;
  const teller = tool || !toldBy ? null : { type: toldBy.type, id: toldBy.id };
  return sha256(canonicalJson({ id, version, workspaceId, owner, teller, tool: tool?.name ?? null, value }));
}
