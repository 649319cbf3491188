import type { RunMessageContent } from "@/db/schema";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { builtinTools } from "@/server/tools/builtin-tools";
import { nameIndex } from "@/server/tools/resolve-name";
import type { MessageRow } from "./run-row";

/** Equal results of equal calls in a row, after which the model is warned, and after which the run ends. */
export const repeatLimits = { warn: 3, stop: 5 } as const;

export const repeatWarning = (times: number): string =>
  `[This exact call has now given the same result ${times} times. Use the result, or take another way.]`;

type Message = Pick<MessageRow, "role" | "content">;

/**
 * Counts, for each call of a run, how often it gave its latest result without a different one in between. Successful calls count
 * as well: a model that reads the same file forever makes no error. Tools that wait for something are not counted.
 */
export function countRepeats(messages: readonly Message[]): Map<string, { times: number; result: string }> {
  const repeats = new Map<string, { times: number; result: string }>();
  const findWaiting = nameIndex(builtinTools().filter(({ mayRepeat }) => mayRepeat));
  let calls = new Map<string, string>();
  for (const { role, content } of messages) {
    if (role === "assistant") calls = keysOf(content, findWaiting);
    const key = role === "tool" && content.callId !== undefined ? calls.get(content.callId) : undefined;
    if (key === undefined) continue;
    const result = digestOf(content);
    const before = repeats.get(key);
    repeats.set(key, { times: before?.result === result ? before.times + 1 : 1, result });
  }
  return repeats;
}

/** Returns true when a run repeats itself and has to end. */
export function isLooping(messages: readonly Message[]): boolean {
  return [...countRepeats(messages).values()].some(({ times }) => times >= repeatLimits.stop);
}

/** Adds a warning to results that came too often. */
export function withWarnings<New extends Message>(messages: readonly Message[], results: readonly New[]): New[] {
  const repeats = countRepeats([...messages, ...results]);
  const calls = new Map(messages.findLast(({ role }) => role === "assistant")?.content.toolCalls?.map((call) => [call.id, keyOf(call)]));
  return results.map((result) => {
    const times = repeats.get(calls.get(result.content.callId ?? "") ?? "")?.times ?? 0;
    if (times < repeatLimits.warn) return result;
    return { ...result, content: { ...result.content, text: `${result.content.text}\n\n${repeatWarning(times)}` } };
  });
}

/** Digests by message, because every step looks at all messages of the run. */
const keys = new WeakMap<RunMessageContent, Map<string, string>>();
const digests = new WeakMap<RunMessageContent, string>();

function keysOf(content: RunMessageContent, findWaiting: (name: string) => unknown): Map<string, string> {
  const known = keys.get(content);
  if (known) return known;
  const found = new Map(content.toolCalls?.filter(({ name }) => !findWaiting(name)).map((call) => [call.id, keyOf(call)]));
  keys.set(content, found);
  return found;
}

function digestOf(content: RunMessageContent): string {
  const digest = digests.get(content) ?? sha256(withoutWarning(content.text));
  digests.set(content, digest);
  return digest;
}

const withoutWarning = (text: string): string => {
  const at = text.lastIndexOf("\n\n[This exact call has now given the same result ");
  return at === -1 ? text : text.slice(0, at);
};

function keyOf({ name, arguments: args }: { name: string; arguments: string }): string {
  return `${name} ${sha256(canonicalArguments(args))}`;
}

function canonicalArguments(text: string): string {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return text;
  }
}
