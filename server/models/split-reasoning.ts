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
const maxHeaderChars = 320;

const starts = [...pairs.map(({ open }) => open), ...channelStarts];
const longestMark = Math.max(...pairs.flatMap(({ open, close }) => [open.length, close.length]));

/** Whether a text is the beginning of a mark, so that the next piece decides. */
const mayBecomeStart = (text: string): boolean => {
  const lower = text.toLowerCase();
  return (
    starts.some((mark) => mark.toLowerCase().startsWith(lower)) ||
    (channelStarts.some((mark) => lower.startsWith(mark)) && text.length < maxHeaderChars)
  );
};

type Piece = { kind: "text" | "reasoning"; text: string } | { kind: "text_was_reasoning" };

/** The block of thinking that is open; `isCertain`: its text is shown as thinking while it comes. */
type Block = { close: RegExp; open: string; isCertain: boolean };
/** Null while more text has to come. */
type Taken = Piece[] | null;

/**
 * Divides text into thinking and answer, piece by piece. A block of thinking begins at the start of the reply, behind another block,
 * or at the start of a line outside of code. At the start it is thinking even without its end. Later it counts with its end only,
 * because an answer may name the mark. A closing mark alone on a line, without an opening one, ends thinking that began with the
 * reply: some templates write the opening mark themselves.
 */
export class ReasoningSplitter {
  private held = "";
  private hasText = false;
  private hasThought = false;
  private fence: string | null = null;
  /** Whether the held text begins a line. */
  private isLineStart = true;
  private block: Block | null = null;
  /** The answer's text ends at this mark of a channel. */
  private isFinalChannel = false;

  add(piece: string): Piece[] {
    this.held += piece;
    return this.take(false);
  }

  end(): Piece[] {
    return this.take(true);
  }

  private take(isEnd: boolean): Piece[] {
    const pieces: Piece[] = [];
    for (;;) {
      const before = this.held.length;
      const hadBlock = this.block !== null;
      const taken = this.block ? this.takeBlock(this.block, isEnd) : this.takeText(isEnd);
      if (taken === null) return pieces;
      for (const piece of taken) append(pieces, piece);
      if (this.held === "" && !this.block) return pieces;
      if (taken.length === 0 && this.held.length === before && hadBlock === (this.block !== null)) return pieces;
    }
  }

  private takeBlock({ close, open, isCertain }: Block, isEnd: boolean): Taken {
    const end = close.exec(this.held);
    if (end) {
      const text = this.cut(end.index);
      this.cut(end[0].length);
      this.block = null;
      this.hasThought = true;
      this.isLineStart = true;
      return text === "" ? [] : [{ kind: "reasoning", text }];
    }
    if (!isCertain) {
      if (!isEnd) return null;
      // Never closed, so the mark was part of the answer.
      this.block = null;
      return this.textPiece(open + this.cut(this.held.length));
    }
    const keep = isEnd ? 0 : longestMark;
    if (this.held.length <= keep) return isEnd ? [] : null;
    return [{ kind: "reasoning", text: this.cut(this.held.length - keep) }];
  }

  /** Takes the held text up to the next place where a block may begin. */
  private takeText(isEnd: boolean): Taken {
    if (this.held === "" || !this.beginsClearly(isEnd)) return null;
    if (this.isLineStart && !this.fence) {
      if (this.openBlock()) return [];
      if (!isEnd && mayBecomeStart(this.held)) return null;
      const alone = closingLine(this.held, isEnd);
      if (alone === "unknown") return null;
      if (alone !== null && !this.hasThought) {
        this.held = this.held.slice(alone).replace(/^\s+/, "");
        this.hasThought = true;
        this.hasText = false;
        return [{ kind: "text_was_reasoning" }];
      }
    }
    const endOfChannel = this.isFinalChannel ? this.takeEndOfChannel(isEnd) : "none";
    return endOfChannel === "none" ? this.takeLine(isEnd) : endOfChannel;
  }

  /** Removes space before the answer, and before a block of thinking. @returns false while the start may become a mark */
  private beginsClearly(isEnd: boolean): boolean {
    if (this.hasText) return true;
    if (this.hasThought) this.held = this.held.trimStart();
    const trimmed = this.held.trimStart();
    if (trimmed === "") return isEnd;
    if (!this.fence && starts.some((mark) => trimmed.toLowerCase().startsWith(mark.toLowerCase()))) this.held = trimmed;
    else if (!isEnd && mayBecomeStart(trimmed)) return false;
    return true;
  }

  private openBlock(): boolean {
    const header = channel.exec(this.held);
    if (header) {
      const [whole, name, more = ""] = header;
      // A call of a channel is read where other calls are.
      if (/\bto=/.test(more)) return false;
      this.cut(whole.length);
      if (name === "analysis") this.block = { close: channelEnd, open: whole, isCertain: true };
      else this.isFinalChannel = true;
      return true;
    }
    const pair = pairs.find(({ open }) => this.held.slice(0, open.length).toLowerCase() === open.toLowerCase());
    if (!pair) return false;
    this.cut(pair.open.length);
    this.block = { close: new RegExp(escaped(pair.close), "i"), open: pair.open, isCertain: !this.hasText };
    return true;
  }

  /** Takes the rest of the final channel's text. @returns `none` when its end is not on this line */
  private takeEndOfChannel(isEnd: boolean): Taken | "none" {
    const end = /<\|(?:end|return)\|>/.exec(this.held);
    if (end && !this.held.slice(0, end.index).includes("\n")) {
      const shown = this.textPiece(this.cut(end.index));
      this.cut(end[0].length);
      this.isFinalChannel = false;
      this.isLineStart = true;
      return shown;
    }
    const begun = isEnd ? null : /<(?:\||\|[a-z]{0,6}\|?)?$/.exec(this.held);
    if (!begun || this.held.slice(0, begun.index).includes("\n")) return "none";
    return begun.index === 0 ? null : this.textPiece(this.cut(begun.index));
  }

  private takeLine(isEnd: boolean): Taken {
    const newline = this.held.indexOf("\n");
    const line = newline < 0 ? this.held : this.held.slice(0, newline + 1);
    if (this.isLineStart) {
      const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1];
      // A fence may still be coming.
      if (!mark && newline < 0 && !isEnd && /^ {0,3}(?:`{1,2}|~{1,2})?$/.test(this.held)) return null;
      if (mark && newline < 0 && !isEnd) return null;
      if (mark) this.fence = this.fence === null ? mark : mark.startsWith(this.fence) ? null : this.fence;
    }
    return this.textPiece(this.cut(line.length));
  }

  private textPiece(text: string): Piece[] {
    if (text === "") return [];
    if (text.trim() !== "") this.hasText = true;
    this.isLineStart = text.endsWith("\n");
    return [{ kind: "text", text }];
  }

  private cut(length: number): string {
    const text = this.held.slice(0, length);
    this.held = this.held.slice(length);
    return text;
  }
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

/** Reads thinking that a model writes into its text, so that it is no part of the answer: see `ReasoningSplitter`. */
export async function* splitReasoning(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  const splitter = new ReasoningSplitter();
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
