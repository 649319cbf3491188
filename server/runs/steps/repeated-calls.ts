import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { builtinTools } from "@/server/tools/builtin-tools";
import { nameIndex } from "@/server/tools/resolve-name";
import type { MessageRow } from "../run-row";

/** Most characters of the arguments in the sentence that names a call. */
const maxOfArguments = 200;

/** Equal results of equal calls in a row, after which the model is warned, and after which the run ends. */
export const repeatLimits = { warn: 3, stop: 5 } as const;

export const repeatWarning = (times: number): string =>
  `[This exact call has now given the same result ${times} times. Use the result, or take another way.]`;

type Message = Pick<MessageRow, "role" | "content">;

type Repeat = { times: number; result: string };
type Counted = {
  length: number;
  last: Message | undefined;
  repeats: Map<string, Repeat>;
  looping: Set<string>;
  calls: Map<string, string>;
  /** The latest call of each key, for the sentence that names it. */
  asked: Map<string, { name: string; arguments: string }>;
};

/** Counts by the first message of a run, because every step looks at all its messages and only the latest are new. */
const counts = new WeakMap<Message, Counted>();

/**
 * Counts, for each call of a run, how often it gave its latest result without a different one in between. Successful calls count
 * as well: a model that reads the same file forever makes no error. Tools that wait for something are not counted.
 */
export function countRepeats(messages: readonly Message[]): ReadonlyMap<string, Repeat> {
  return count(messages).repeats;
}

/** Returns true when a run repeats itself and has to end. */
export function isLooping(messages: readonly Message[]): boolean {
  return count(messages).looping.size > 0;
}

/** Says which call ended a run that repeats itself, for the user. */
export function loopSentence(messages: readonly Message[]): string {
  const { looping, asked, repeats } = count(messages);
  const [key = ""] = looping;
  const call = asked.get(key);
  const args = call?.arguments ?? "";
  const named = call ? `${call.name} ${args.length > maxOfArguments ? `${args.slice(0, maxOfArguments)}…` : args}`.trim() : "the same call";
  const times = repeats.get(key)?.times ?? repeatLimits.stop;
  return `The run ended because ${named} gave the same result ${times} times in a row. Its work may be incomplete.`;
}

function count(messages: readonly Message[]): Counted {
  const [first] = messages;
  const known = first && counts.get(first);
  const goesOn = known && known.length <= messages.length && messages[known.length - 1] === known.last;
  const counted: Counted = goesOn
    ? known
    : { length: 0, last: undefined, repeats: new Map(), looping: new Set(), calls: new Map(), asked: new Map() };
  if (counted.length === messages.length) return counted;
  const findWaiting = nameIndex(builtinTools().filter(({ mayRepeat }) => mayRepeat));
  for (const message of messages.slice(counted.length)) addMessage(counted, message, findWaiting);
  counted.length = messages.length;
  counted.last = messages.at(-1);
  if (first) counts.set(first, counted);
  return counted;
}

function addMessage(counted: Counted, { role, content }: Message, findWaiting: (name: string) => unknown): void {
  if (role === "assistant") {
    const calls = content.toolCalls?.filter(({ name }) => !findWaiting(name)) ?? [];
    counted.calls = new Map(calls.map((call) => [call.id, keyOf(call)]));
    for (const call of calls) counted.asked.set(keyOf(call), call);
  }
  const key = role === "tool" && content.callId !== undefined ? counted.calls.get(content.callId) : undefined;
  if (key === undefined) return;
  const result = sha256(withoutWarning(content.text));
  const before = counted.repeats.get(key);
  const times = before?.result === result ? before.times + 1 : 1;
  counted.repeats.set(key, { times, result });
  if (times >= repeatLimits.stop) counted.looping.add(key);
  else counted.looping.delete(key);
}

/** Adds a warning to results that came too often; of equal calls of one reply to the last, because one warning is enough. */
export function withWarnings<New extends Message>(messages: readonly Message[], results: readonly New[]): New[] {
  const { repeats } = count(messages);
  const calls = new Map(messages.findLast(({ role }) => role === "assistant")?.content.toolCalls?.map((call) => [call.id, keyOf(call)]));
  const seen = new Map<string, Repeat>();
  const last = new Map(results.map(({ content }, place) => [calls.get(content.callId ?? ""), place]));
  return results.map((result, place) => {
    const key = calls.get(result.content.callId ?? "") ?? "";
    const before = seen.get(key) ?? repeats.get(key);
    const digest = sha256(withoutWarning(result.content.text));
    const times = before?.result === digest ? before.times + 1 : 1;
    seen.set(key, { times, result: digest });
    if (key === "" || times < repeatLimits.warn || last.get(key) !== place) return result;
    return { ...result, content: { ...result.content, text: `${result.content.text}\n\n${repeatWarning(times)}` } };
  });
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
