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
const maxBlockChars = 1_100_000;

/** Divides a reply into the text that people may read and the calls that were written as text. */
export class CallFinder {
  private readonly calls: ModelToolCall[] = [];
  private held = "";
  /** The mark of a fence whose text is shown, so that its end is not taken for a beginning. */
  private fence: string | null = null;
  /** The line that is shown so far: a mark within its code is quoted. */
  private line = "";
  /** Behind a call, whose line ends are not part of the text. */
  private isBehindCall = false;

  constructor(private readonly request: { mode: "text" | "auto"; schemas: ToolSchemas }) {}

  /** Adds a piece. @returns the text that is certainly no call */
  add(piece: string): string {
    this.held += piece;
    return this.take(false);
  }

  /** @returns the rest of the text, and the calls */
  end(): { text: string; calls: ModelToolCall[] } {
    return { text: this.take(true), calls: this.calls };
  }

  /** Forgets about calls. @returns the text that was held back */
  giveUp(): string {
    return this.cut(this.held.length);
  }

  private take(isEnd: boolean): string {
    let shown = "";
    for (;;) {
      if (this.isBehindCall) this.held = this.held.trimStart();
      if (this.held !== "") this.isBehindCall = false;
      if (this.fence) shown += this.showFence(this.fence);
      if (this.fence) return shown + (isEnd ? this.giveUp() : "");
      const start = opening.exec(this.held);
      if (!start) return shown + this.cut(isEnd ? this.held.length : (openingStart.exec(this.held)?.index ?? this.held.length));
      shown += this.cut(start.index);
      const [mark] = start;
      const form = callForms.find(({ open }) => open.exec(mark)?.index === 0);
      // Between single backticks a model quotes the form.
      const isQuoted = (this.line.match(/`/g)?.length ?? 0) % 2 === 1;
      const text = isQuoted ? this.cut(mark.length) : form ? this.takeForm(form, mark, isEnd) : this.takeFence(mark, isEnd);
      if (text === null) return shown;
      shown += text;
    }
  }

  /** Takes a block of one of the forms out of the held text. @returns null while its end has not come */
  private takeForm({ close, read }: CallForm, mark: string, isEnd: boolean): string | null {
    const end = close?.exec(this.held.slice(mark.length)) ?? null;
    if (!end && !isEnd && this.held.length < maxBlockChars) return null;
    const body = this.held.slice(mark.length, end ? mark.length + end.index : undefined);
    const length = mark.length + body.length + (end?.[0].length ?? 0);
    const { mode, schemas } = this.request;
    // A model that was told the format gets to know that a tool does not exist.
    const found = read(body, { schemas, isCallable: (name) => mode === "text" || schemas.has(name) }, mark);
    if (!found) return this.cut(length);
    return this.keep(found, this.held.slice(length));
  }

  /** Takes fenced JSON with calls out of the held text. @returns null while its end has not come */
  private takeFence(mark: string, isEnd: boolean): string | null {
    const close = mark.slice(0, 3);
    const end = this.held.indexOf(close, mark.length);
    const body = this.held.slice(mark.length, end < 0 ? undefined : end);
    const behind = end < 0 ? "" : this.held.slice(end + close.length);
    if (!mayBeCall(mark, body) || behind.trim() !== "") return this.cut(mark.length) + this.showFence(close);
    // Fenced JSON in the middle of an answer is an example, so its call counts at the end of the reply only.
    if (!isEnd && this.held.length < maxBlockChars) return null;
    const found = parseCalls(body, (name) => this.request.schemas.has(name));
    if (!found) return this.cut(end < 0 ? this.held.length : end + close.length);
    return this.keep(found, behind);
  }

  private keep(found: readonly ModelToolCall[], behind: string): string {
    this.calls.push(...found);
    this.held = behind;
    this.isBehindCall = true;
    return "";
  }

  /** Shows a fence that is no call, up to its end as far as it has come. */
  private showFence(mark: string): string {
    const end = this.held.indexOf(mark);
    this.fence = end < 0 ? mark : null;
    if (end >= 0) return this.cut(end + mark.length);
    const begun = mark.startsWith("`") ? /`{1,2}$/ : /~{1,2}$/;
    return this.cut(this.held.length - (begun.exec(this.held)?.[0].length ?? 0));
  }

  private cut(length: number): string {
    const shown = this.held.slice(0, length);
    this.held = this.held.slice(length);
    this.line = (this.line + shown).slice((this.line + shown).lastIndexOf("\n") + 1);
    return shown;
  }
}

function mayBeCall(mark: string, body: string): boolean {
  if (!callFence.test(mark)) return false;
  const start = body.trimStart();
  if (start !== "" && !/^[{[]/.test(start)) return false;
  return body.length < nameWithin || namesTool.test(body.slice(0, nameWithin * 4));
}
