import type { ModelToolCall } from "../model-request";
import { type CallForm, callForms, type ToolSchemas } from "./call-forms";
import { parseCalls } from "./parse-calls";

const fenceOpening = /(?:```|~~~)[^`\n]*\r?\n/;
const opening = new RegExp([...callForms.map(({ open }) => open.source), fenceOpening.source].join("|"), "i");
/** The beginning of an opening that a piece may end with. */
const openingStart = /(?:<(?:[a-z|｜][^<>\n]{0,220})?|<\|channel\|>[^\n]{0,320}|\[[A-Z_]{0,11}|`{1,2}|~{1,2}|(?:```|~~~)[^`\n]{0,80}\r?)$/i;
/** Languages of fences that may hold calls. */
const callFence = /^(?:```|~~~)(?:json|tool_calls?|tool_code)?\s*$/i;
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

export function makeCallFinder({ mode, schemas }: { mode: "text" | "auto"; schemas: ToolSchemas }): CallFinder {
  const isKnown = (name: string) => schemas.has(name);
  // A model that was told the format gets to know that a tool does not exist.
  const isCallable = mode === "text" ? () => true : isKnown;
  const calls: ModelToolCall[] = [];
  let held = "";
  /** The mark of a fence whose text is shown, so that its end is not taken for a beginning. */
  let fence: string | null = null;
  /** The line that is shown so far: a mark within its code is quoted. */
  let line = "";
  /** Behind a call, whose line ends are not part of the text. */
  let isBehindCall = false;

  const cut = (length: number): string => {
    const shown = held.slice(0, length);
    held = held.slice(length);
    line = (line + shown).slice((line + shown).lastIndexOf("\n") + 1);
    return shown;
  };

  /** Shows a fence that is no call, up to its end as far as it has come. */
  const showFence = (mark: string): string => {
    const end = held.indexOf(mark);
    fence = end < 0 ? mark : null;
    if (end >= 0) return cut(end + mark.length);
    const begun = mark.startsWith("`") ? /`{1,2}$/ : /~{1,2}$/;
    return cut(held.length - (begun.exec(held)?.[0].length ?? 0));
  };

  /** Takes fenced JSON with calls out of the held text. @returns null while its end has not come */
  const takeFence = (mark: string, isEnd: boolean): string | null => {
    const close = mark.slice(0, 3);
    const end = held.indexOf(close, mark.length);
    const body = held.slice(mark.length, end < 0 ? undefined : end);
    const behind = end < 0 ? "" : held.slice(end + close.length);
    if (!mayBeCall(mark, body) || behind.trim() !== "") return cut(mark.length) + showFence(close);
    // Fenced JSON in the middle of an answer is an example, so its call counts at the end of the reply only.
    if (!isEnd && held.length < longestBlock) return null;
    const found = parseCalls(body, isKnown);
    if (!found) return cut(end < 0 ? held.length : end + close.length);
    calls.push(...found);
    held = behind;
    isBehindCall = true;
    return "";
  };

  /** Takes a block of one of the forms out of the held text. @returns null while its end has not come */
  const takeForm = ({ close, read }: CallForm, mark: string, isEnd: boolean): string | null => {
    const end = close?.exec(held.slice(mark.length)) ?? null;
    if (!end && !isEnd && held.length < longestBlock) return null;
    const body = held.slice(mark.length, end ? mark.length + end.index : undefined);
    const length = mark.length + body.length + (end?.[0].length ?? 0);
    const found = read(body, { schemas, isCallable }, mark);
    if (!found) return cut(length);
    calls.push(...found);
    held = held.slice(length);
    isBehindCall = true;
    return "";
  };

  const take = (isEnd: boolean): string => {
    let shown = "";
    for (;;) {
      if (isBehindCall) held = held.trimStart();
      if (held !== "") isBehindCall = false;
      if (fence) shown += showFence(fence);
      if (fence) return shown + (isEnd ? cut(held.length) : "");
      const start = opening.exec(held);
      if (!start) return shown + cut(isEnd ? held.length : (openingStart.exec(held)?.index ?? held.length));
      shown += cut(start.index);
      const [mark] = start;
      const form = callForms.find(({ open }) => open.exec(mark)?.index === 0);
      // Between single backticks a model quotes the form.
      const isQuoted = (line.match(/`/g)?.length ?? 0) % 2 === 1;
      const text = isQuoted ? cut(mark.length) : form ? takeForm(form, mark, isEnd) : takeFence(mark, isEnd);
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
