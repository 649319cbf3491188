import { FlowText } from "../flow-text.ts";
import type { LeftOut } from "../left-out.ts";
import { TextBudget } from "../text-budget.ts";
import type { Attributes } from "../xml-events.ts";
import { OdfLists } from "./odf-lists.ts";
import type { OdfLook, OdfStyles } from "./odf-styles.ts";

type Span = OdfLook & { isMarked: boolean };
type Frame = { noun: "picture" | "embedded object" | null; words: string };
type Note = { mark: string; budget: TextBudget; above: { flow: FlowText; paragraphs: number } };

const maxNoteChars = 50_000;
const maxNameChars = 500;

/** Parts whose text is not shown, by their element. */
const omitted: Readonly<Record<string, string>> = { "office:annotation": "comment", "text:deletion": "tracked deletion" };
const objects = new Set(["draw:object", "draw:object-ole"]);
const names = new Set(["svg:title", "svg:desc"]);

/**
 * Writes the body of an OpenDocument text or presentation, event by event: numbers of lists and headings, raised, lowered
 * and struck text, notes behind the text, pictures by their names. Comments and tracked deletions are left out and counted.
 */
export class OdfText {
  readonly #styles: OdfStyles;
  readonly #lists: OdfLists;
  readonly #leftOut: LeftOut;
  readonly #spans: Span[] = [];
  readonly #frames: Frame[] = [];
  readonly #notes: Note[] = [];
  readonly #writtenNotes: string[] = [];
  #flow: FlowText;
  #paragraphs = 0;
  #unread = 0;
  /** Where the next text belongs, when it is no text of a paragraph. */
  #into: "citation" | "name" | null = null;

  constructor(budget: TextBudget, styles: OdfStyles, leftOut: LeftOut) {
    this.#flow = new FlowText(budget);
    this.#styles = styles;
    this.#lists = new OdfLists(styles);
    this.#leftOut = leftOut;
  }

  open(name: string, attributes: Attributes): void {
    const noun = omitted[name];
    if (noun) this.#leftOut.add(noun);
    if (this.#unread > 0 || name === "office:annotation" || name === "text:tracked-changes") {
      this.#unread += 1;
      return;
    }
    if (name === "text:p" || name === "text:h") this.#openParagraph(name, attributes);
    else if (name === "text:list") this.#lists.openList(attributes);
    else if (name === "text:list-item") this.#lists.openItem(attributes);
    else if (name === "table:table") this.#flow.openTable();
    else if (name === "draw:frame") this.#frames.push({ noun: null, words: "" });
    else if (objects.has(name) || name === "draw:image") this.#noteFrame(name);
    else if (names.has(name)) this.#into = "name";
    else if (this.#paragraphs > 0) this.#openInline(name, attributes);
  }

  close(name: string): void {
    if (this.#unread > 0) {
      this.#unread -= 1;
      return;
    }
    if (name === "text:p" || name === "text:h") {
      this.#paragraphs -= 1;
      this.#flow.closeParagraph();
    } else if (name === "text:list") this.#lists.closeList();
    else if (name === "table:table-cell" || name === "table:covered-table-cell") this.#flow.closeCell();
    else if (name === "table:table-row") this.#flow.closeRow();
    else if (name === "table:table") this.#flow.closeTable();
    else if (name === "draw:frame") this.#closeFrame();
    else if (names.has(name) || name === "text:note-citation") this.#into = null;
    else if (name === "text:span") this.#closeSpan();
    else if (name === "text:note") this.#closeNote();
  }

  text(written: string): void {
    if (this.#unread > 0) return;
    const text = written.replaceAll(/\s+/g, " ");
    const frame = this.#frames.at(-1);
    const note = this.#notes.at(-1);
    if (this.#into === "name") {
      if (frame) frame.words = `${frame.words} ${text}`.trim().slice(0, maxNameChars);
    } else if (this.#into === "citation") {
      if (note) note.mark += text.trim();
    } else if (this.#paragraphs > 0) this.#addText(text);
  }

  /** Returns the notes, for the end of the text. */
  notes(): readonly string[] {
    return this.#writtenNotes;
  }

  #openParagraph(name: string, attributes: Attributes): void {
    this.#paragraphs += 1;
    this.#flow.openParagraph();
    if (name === "text:h") {
      const level = Math.min(6, Number(attributes["text:outline-level"]) || 1);
      this.#flow.setPrefix(`${"#".repeat(level)} ${this.#lists.heading(level, attributes)}`, false);
      return;
    }
    const prefix = this.#notes.length > 0 ? null : this.#lists.prefix();
    if (prefix !== null) this.#flow.setPrefix(prefix, true);
  }

  #openInline(name: string, attributes: Attributes): void {
    if (name === "text:s") this.#addText(" ".repeat(Math.min(100, Math.max(1, Number(attributes["text:c"]) || 1))));
    else if (name === "text:tab") this.#addText("\t");
    else if (name === "text:line-break") this.#addText("\n");
    else if (name === "text:span") this.#spans.push({ ...this.#styles.look(attributes["text:style-name"]), isMarked: false });
    else if (name === "text:note") {
      const budget = new TextBudget(maxNoteChars);
      this.#notes.push({ mark: "", budget, above: { flow: this.#flow, paragraphs: this.#paragraphs } });
      this.#flow = new FlowText(budget);
    } else if (name === "text:note-citation") this.#into = "citation";
  }

  #addText(text: string): void {
    if (this.#spans.some(({ isHidden }) => isHidden)) {
      this.#leftOut.add("character of hidden text", text.length);
      return;
    }
    for (const span of this.#spans) {
      if (!span.isMarked) this.#flow.addText(span.mark);
      span.isMarked = true;
    }
    this.#flow.addText(text);
  }

  #closeSpan(): void {
    const span = this.#spans.pop();
    if (span?.isMarked) this.#flow.addText(span.mark);
  }

  /** An object has a picture beside it, for programs that cannot show it. */
  #noteFrame(name: string): void {
    const frame = this.#frames.at(-1);
    if (frame) frame.noun = objects.has(name) ? "embedded object" : (frame.noun ?? "picture");
  }

  #closeFrame(): void {
    const frame = this.#frames.pop();
    if (!frame?.noun) return;
    this.#leftOut.add(frame.noun);
    if (frame.words === "" && this.#paragraphs === 0) return;
    const words = `[${frame.noun === "picture" ? "Picture" : "Embedded object"}${frame.words === "" ? "" : `: ${frame.words}`}]`;
    if (this.#paragraphs > 0) this.#flow.addText(words);
    else {
      this.#flow.openParagraph();
      this.#flow.addText(words);
      this.#flow.closeParagraph();
    }
  }

  #closeNote(): void {
    const note = this.#notes.pop();
    if (!note) return;
    this.#flow = note.above.flow;
    this.#paragraphs = note.above.paragraphs;
    this.#flow.addText(`[^${note.mark}]`);
    this.#writtenNotes.push(`[^${note.mark}]: ${note.budget.toString().trim().replaceAll(/\n+/g, "\n  ")}`);
  }
}
