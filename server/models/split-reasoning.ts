import type { ModelEvent } from "./model-request";

/**
 * Marks with which models write their thinking into their text, when their server does not take it out. Each pair opens and closes a
 * block.
 */
const pairs: readonly { open: string; close: string }[] = [
  ...["think", "thinking", "thought", "reasoning", "reason"].map((name) => ({ open: `<${name}>`, close: `</${name}>` })),
  { open: "[THINK]", close: "[/THINK]" },
  { open: "<|begin_of_thought|>", close: "<|end_of_thought|>" },
  { open: "◁think▷", close: "◁/think▷" },
];
/** Harmony: each message of a reply names its channel, and only `final` and `commentary` are for people. */
const channel = /^(?:<\|start\|>assistant)?<\|channel\|>([a-z_]+)([^<\n]{0,200}?(?:<\|constrain\|>[^<\n]{0,40})?)<\|message\|>/;
const channelEnd = /<\|(?:end|return|call)\|>|(?=<\|start\|>|<\|channel\|>)/;
const channelStarts = ["<|start|>assistant<|channel|>", "<|channel|>"];
const longestHeader = 320;

const starts = [...pairs.map(({ open }) => open), ...channelStarts];
const longestMark = Math.max(...pairs.flatMap(({ open, close }) => [open.length, close.length]));

/** Whether a text is the beginning of a mark, so that the next piece decides. */
const mayBecomeStart = (text: string): boolean => {
  const lower = text.toLowerCase();
  return (
    starts.some((mark) => mark.toLowerCase().startsWith(lower)) ||
    (channelStarts.some((mark) => lower.startsWith(mark)) && text.length < longestHeader)
  );
};

type Piece = { kind: "text" | "reasoning"; text: string } | { kind: "text_was_reasoning" };

/** Divides text into thinking and answer, piece by piece. */
export type ReasoningSplitter = { add: (piece: string) => Piece[]; end: () => Piece[] };

/**
 * A block of thinking begins at the start of the reply, behind another block, or at the start of a line outside of code. At the start
 * it is thinking even without its end. Later it counts with its end only, because an answer may name the mark. A closing mark alone
 * on a line, without an opening one, ends thinking that began with the reply: some templates write the opening mark themselves.
 */
export function makeReasoningSplitter(): ReasoningSplitter {
  let held = "";
  let hasText = false;
  let hasThought = false;
  let fence: string | null = null;
  /** Whether the held text begins a line. */
  let isLineStart = true;
  /** The end of the block that is open; `isCertain`: its text is shown as thinking while it comes. */
  let block: { close: RegExp; open: string; isCertain: boolean } | null = null;
  /** The answer's text ends at this mark of a channel. */
  let isFinalChannel = false;

  const textPiece = (text: string): Piece[] => {
    if (text === "") return [];
    if (text.trim() !== "") hasText = true;
    isLineStart = text.endsWith("\n");
    return [{ kind: "text", text }];
  };

  const openBlock = (): boolean => {
    const header = channel.exec(held);
    if (header) {
      const [whole, name, more = ""] = header;
      // A call of a channel is read where other calls are.
      if (/\bto=/.test(more)) return false;
      held = held.slice(whole.length);
      if (name === "analysis") block = { close: channelEnd, open: whole, isCertain: true };
      else isFinalChannel = true;
      return true;
    }
    const pair = pairs.find(({ open }) => held.slice(0, open.length).toLowerCase() === open.toLowerCase());
    if (!pair) return false;
    held = held.slice(pair.open.length);
    block = { close: new RegExp(escaped(pair.close), "i"), open: pair.open, isCertain: !hasText };
    return true;
  };

  const takeBlock = (isEnd: boolean): Piece[] | null => {
    if (!block) return [];
    const { close, open, isCertain } = block;
    const end = close.exec(held);
    if (end) {
      const text = held.slice(0, end.index);
      held = held.slice(end.index + end[0].length);
      block = null;
      hasThought = true;
      isLineStart = true;
      return text === "" ? [] : [{ kind: "reasoning", text }];
    }
    if (!isCertain) {
      if (!isEnd) return null;
      // Never closed, so the mark was part of the answer.
      const text = open + held;
      held = "";
      block = null;
      return textPiece(text);
    }
    const keep = isEnd ? 0 : longestMark;
    if (held.length <= keep) return isEnd ? [] : null;
    const text = held.slice(0, held.length - keep);
    held = held.slice(held.length - keep);
    return [{ kind: "reasoning", text }];
  };

  /** Takes the held text up to the next place where a block may begin. @returns null while more text has to come */
  const takeText = (isEnd: boolean): Piece[] | null => {
    if (held === "") return null;
    if (!hasText && hasThought) held = held.trimStart();
    if (!hasText && held.trim() === "" && !isEnd) return null;
    if (!hasText) {
      // Space before a block of thinking belongs to nobody.
      const trimmed = held.trimStart();
      if (!fence && starts.some((mark) => trimmed.toLowerCase().startsWith(mark.toLowerCase()))) held = trimmed;
      else if (!isEnd && trimmed !== "" && mayBecomeStart(trimmed)) return null;
    }
    if (isLineStart && !fence) {
      if (openBlock()) return [];
      if (!isEnd && mayBecomeStart(held)) return null;
      const alone = closingLine(held, isEnd);
      if (alone === "unknown") return null;
      if (alone !== null && !hasThought) {
        held = held.slice(alone).replace(/^\s+/, "");
        hasThought = true;
        hasText = false;
        return [{ kind: "text_was_reasoning" }];
      }
    }
    if (isFinalChannel) {
      const end = /<\|(?:end|return)\|>/.exec(held);
      if (end && !held.slice(0, end.index).includes("\n")) {
        const text = held.slice(0, end.index);
        held = held.slice(end.index + end[0].length);
        isFinalChannel = false;
        const shown = textPiece(text);
        isLineStart = true;
        return shown;
      }
      const begun = isEnd ? null : /<(?:\||\|[a-z]{0,6}\|?)?$/.exec(held);
      if (begun && !held.slice(0, begun.index).includes("\n")) {
        if (begun.index === 0) return null;
        const text = held.slice(0, begun.index);
        held = held.slice(begun.index);
        return textPiece(text);
      }
    }
    const newline = held.indexOf("\n");
    const line = newline < 0 ? held : held.slice(0, newline + 1);
    if (isLineStart) {
      const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1];
      // A fence may still be coming.
      if (!mark && newline < 0 && !isEnd && /^ {0,3}(?:`{1,2}|~{1,2})?$/.test(held)) return null;
      if (mark && newline < 0 && !isEnd) return null;
      if (mark) fence = fence === null ? mark : mark.startsWith(fence) ? null : fence;
    }
    held = held.slice(line.length);
    return textPiece(line);
  };

  const take = (isEnd: boolean): Piece[] => {
    const pieces: Piece[] = [];
    for (;;) {
      const before = held.length;
      const hadBlock = block !== null;
      const taken = hadBlock ? takeBlock(isEnd) : takeText(isEnd);
      if (taken === null) return pieces;
      for (const piece of taken) append(pieces, piece);
      if (held === "" && !block) return pieces;
      if (taken.length === 0 && held.length === before && hadBlock === (block !== null)) return pieces;
    }
  };

  return {
    add: (piece) => {
      held += piece;
      return take(false);
    },
    end: () => take(true),
  };
}

function append(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1);
  if (last && last.kind !== "text_was_reasoning" && piece.kind === last.kind) last.text += piece.text;
  else pieces.push({ ...piece });
}

/**
 * Length of a closing mark of thinking that stands alone on the first line.
 * @returns null when there is none, `unknown` while the line is not complete
 */
function closingLine(held: string, isEnd: boolean): number | "unknown" | null {
  const newline = held.indexOf("\n");
  const line = (newline < 0 ? held : held.slice(0, newline)).trim().toLowerCase();
  const found = pairs.find(({ close }) => close.toLowerCase() === line);
  if (found && (newline >= 0 || isEnd)) return newline < 0 ? held.length : newline + 1;
  if (newline >= 0 || isEnd || line === "") return null;
  return pairs.some(({ close }) => close.toLowerCase().startsWith(line)) ? "unknown" : null;
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** Reads thinking that a model writes into its text, so that it is no part of the answer: see `makeReasoningSplitter`. */
export async function* splitReasoning(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  const splitter = makeReasoningSplitter();
  let isText = false;
  for await (const event of events) {
    if (event.kind === "text") {
      isText = true;
      yield* splitter.add(event.text);
      continue;
    }
    // The text ends where a call or the end of the reply begins.
    if (isText && event.kind !== "reasoning") {
      yield* splitter.end();
      isText = false;
    }
    yield event;
  }
}
