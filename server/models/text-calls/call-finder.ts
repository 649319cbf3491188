import type { ModelToolCall } from "../model-request";
import { parseBrokenCall, parseCalls } from "./parse-calls";

const opening = /<tool_call>|```[a-z_]*[ \t]*\r?\n/i;
/** The beginning of an opening that a piece may end with. */
const openingStart = /(?:<[a-z_]{0,9}|`{1,3}[a-z_]{0,20}[ \t]*\r?)$/i;
/** Languages of fences that may hold calls. */
const callFence = /^```(?:json|tool_calls?|tool_code)?\s*$/i;
const namesTool = /"(?:name|tool|function|tool_name)"\s*:/;
/** A block of JSON that names no tool within so many characters is no call. */
const nameWithin = 400;
/** A longer block is shown. */
const longestBlock = 1_100_000;

/** Divides a reply into the text that people may read and the calls that were written as text. */
export type CallFinder = {
  /** Adds a piece. @returns the text that is certainly no call */
  add: (piece: string) => string;
  /** @returns the rest of the text, and the calls */
  end: () => { text: string; calls: ModelToolCall[] };
  /** Forgets about calls. @returns the text that was held back */
  giveUp: () => string;
};

export function makeCallFinder({ mode, names }: { mode: "text" | "auto"; names: ReadonlySet<string> }): CallFinder {
  const isKnown = (name: string) => names.has(name);
  // A model that was told the format gets to know that a tool does not exist.
  const isCallable = mode === "text" ? () => true : isKnown;
  const calls: ModelToolCall[] = [];
  let held = "";
  /** Inside a fence whose text is shown, so that its end is not taken for a beginning. */
  let isInFence = false;
  /** Behind a call, whose line ends are not part of the text. */
  let isBehindCall = false;

  const cut = (length: number): string => {
    const shown = held.slice(0, length);
    held = held.slice(length);
    return shown;
  };

  /** Shows a fence that is no call, up to its end as far as it has come. */
  const showFence = (): string => {
    const end = held.indexOf("```");
    isInFence = end < 0;
    return end >= 0 ? cut(end + 3) : cut(held.length - (/`{1,2}$/.exec(held)?.[0].length ?? 0));
  };

  /** Takes a block with calls out of the held text. @returns null while its end has not come */
  const takeBlock = (mark: string, isEnd: boolean): string | null => {
    const isTag = mark.startsWith("<");
    const close = isTag ? "</tool_call>" : "```";
    const end = held.indexOf(close, mark.length);
    const body = held.slice(mark.length, end < 0 ? undefined : end);
    const behind = end < 0 ? "" : held.slice(end + close.length);
    const isOpen = end < 0 && !isEnd && held.length < longestBlock;
    if (!isTag && (!mayBeCall(mark, body) || behind.trim() !== "")) {
      return cut(mark.length) + showFence();
    }
    // Fenced JSON in the middle of an answer is an example, so its call counts at the end of the reply only.
    if (isOpen || (!isTag && !isEnd)) return null;
    const found = isTag ? (parseCalls(body, isCallable) ?? brokenCall(body)) : parseCalls(body, isKnown);
    if (!found) return cut(end < 0 ? held.length : end + close.length);
    calls.push(...found);
    held = behind;
    isBehindCall = true;
    return "";
  };

  const brokenCall = (body: string): ModelToolCall[] | null => {
    const call = parseBrokenCall(body, isCallable);
    return call && [call];
  };

  const take = (isEnd: boolean): string => {
    let shown = "";
    for (;;) {
      if (isBehindCall) held = held.trimStart();
      if (held !== "") isBehindCall = false;
      if (isInFence) shown += showFence();
      if (isInFence) return shown + (isEnd ? cut(held.length) : "");
      const start = opening.exec(held);
      if (!start) return shown + cut(isEnd ? held.length : (openingStart.exec(held)?.index ?? held.length));
      shown += cut(start.index);
      const text = takeBlock(start[0], isEnd);
      if (text === null) return shown;
      shown += text;
    }
  };

  return {
    add: (piece) => {
      held += piece;
      return take(false);
    },
    end: () => ({ text: take(true), calls }),
    giveUp: () => cut(held.length),
  };
}

function mayBeCall(mark: string, body: string): boolean {
  if (!callFence.test(mark)) return false;
  const start = body.trimStart();
  if (start !== "" && !/^[{[]/.test(start)) return false;
  return body.length < nameWithin || namesTool.test(body.slice(0, nameWithin * 4));
}
