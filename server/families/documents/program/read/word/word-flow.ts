import type { FlowText } from "../flow-text.ts";
import type { LeftOut } from "../left-out.ts";
import { linked } from "../office/relations.ts";
import { TreeBuilder } from "../office/xml-tree.ts";
import type { Attributes } from "../xml-events.ts";
import type { ListLabels } from "./list-labels.ts";
import { latexOf } from "./office-math.ts";
import { type ParagraphPlace, ParagraphText } from "./paragraph-text.ts";
import { Revisions } from "./revisions.ts";
import { symbolText, withSymbols } from "./symbol-fonts.ts";
import { WordFields } from "./word-fields.ts";
import { addLook, isOn, type Look, type WordStyles } from "./word-styles.ts";

/** The state that all parts of one document share. */
export type WordContext = {
  styles: WordStyles;
  labels: ListLabels;
  revisions: Revisions;
  leftOut: LeftOut;
  /** The mark of a note or comment in the text. */
  markOf: (kind: "footnote" | "endnote" | "comment", id: string, ownMark?: string) => string;
  /** Says that a chart or diagram stands here. */
  drawing: (relation: string, description: string) => void;
};

type Paragraph = { text: ParagraphText; style?: string; list: { id?: string; level?: number }; isMarkGone: boolean; isMarkHidden: boolean };
type Run = { style?: string; look: Look; ownMark: { kind: "footnote" | "endnote"; id: string; place: ParagraphPlace } | null };
type Row = { isGone: boolean; revisions: number; covered: number };

/** Subtrees without text of the document: the fallback repeats a drawing, others hold what was before a change of format. */
const unread = new Set([
  "mc:Fallback",
  "w:sectPrChange",
  "w:tblPrChange",
  "w:tblGridChange",
  "w:trPrChange",
  "w:tcPrChange",
  "w:tblPrExChange",
  "w:numberingChange",
]);

/** Writes the body of a part of a Word document, event by event. */
export class WordFlow {
  flow: FlowText;
  readonly #context: WordContext;
  readonly #addresses: ReadonlyMap<string, string>;
  readonly #names: string[] = [];
  readonly #paragraphs: Paragraph[] = [];
  readonly #runs: Run[] = [];
  readonly #rows: Row[] = [];
  readonly #links: { place: ParagraphPlace; address: string | undefined }[] = [];
  readonly #fields = new WordFields();
  #math: { builder: TreeBuilder; isDisplayed: boolean } | null = null;
  #carried: ParagraphText | null = null;
  #rubyText: { place: ParagraphPlace; text: string } | null = null;
  #drawing = "";
  #skipped = 0;
  #textDepth = 0;

  constructor(flow: FlowText, context: WordContext, addresses: ReadonlyMap<string, string>) {
    this.flow = flow;
    this.#context = context;
    this.#addresses = addresses;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#math) {
      this.#math.builder.open(name, attributes);
      return;
    }
    if (this.#skipped > 0 || this.#isUnread(name)) {
      this.#skipped += 1;
      return;
    }
    const parent = this.#names.at(-1) ?? "";
    this.#names.push(name);
    const kind = Revisions.kindOf(name);
    if (kind) this.#openRevision(kind, parent, attributes["w:author"]);
    else if (name === "m:oMath" || name === "m:oMathPara") {
      this.#names.pop();
      this.#math = { builder: new TreeBuilder(), isDisplayed: name === "m:oMathPara" };
      this.#math.builder.open(name, attributes);
    } else if (parent === "w:pPr" || parent === "w:numPr") this.#paragraphProperty(name, attributes);
    else if (parent === "w:rPr") this.#runProperty(name, attributes);
    else if (/^w:(tbl|tr|tc|gridSpan|gridBefore|gridAfter|cellDel|cellIns)$/.test(name)) this.#openTable(name, attributes);
    else this.#openContent(name, attributes);
  }

  close(name: string): void {
    if (this.#math) {
      this.#closeMath();
      return;
    }
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    this.#names.pop();
    const parent = this.#names.at(-1) ?? "";
    if (Revisions.kindOf(name)) {
      if (parent !== "w:rPr" && parent !== "w:trPr" && parent !== "w:numPr") this.#context.revisions.leave();
    } else if (name === "w:p") this.#closeParagraph();
    else if (name === "w:r") this.#closeRun();
    else if (name === "w:t" || name === "w:delText" || name === "w:instrText") this.#textDepth -= 1;
    else if (name === "w:hyperlink") this.#closeLink();
    else if (name === "w:tc") {
      this.#flushCarried();
      this.flow.closeCell();
      this.flow.addEmptyCells(this.#rows.at(-1)?.covered ?? 0);
    } else if (name === "w:tr") this.#closeRow();
    else if (name === "w:tbl") this.flow.closeTable();
    else if (name === "w:rt") this.#closeRuby();
    else if (name === "w:ruby") {
      if (this.#rubyText?.text) this.#add(` (${this.#rubyText.text})`);
      this.#rubyText = null;
    }
  }

  text(text: string): void {
    if (this.#math) this.#math.builder.text(text);
    else if (this.#textDepth > 0 && this.#skipped === 0) {
      if (this.#names.at(-1) === "w:instrText") this.#fields.addInstruction(text);
      else this.#addText(withSymbols(text, this.#look().font ?? ""));
    }
  }

  /** Writes what no paragraph followed. */
  end(): void {
    this.#flushCarried();
  }

  #isUnread(name: string): boolean {
    if (name === "w:rPrChange" || name === "w:pPrChange") {
      this.#context.revisions.countFormat();
      return true;
    }
    return unread.has(name);
  }

  #openRevision(kind: "ins" | "del" | "moveFrom" | "moveTo", parent: string, author: string | undefined): void {
    const { revisions } = this.#context;
    if (parent === "w:rPr") {
      const paragraph = this.#paragraphs.at(-1);
      // Only the mark of a paragraph has a change among its properties here.
      if (paragraph && this.#names.at(-3) === "w:pPr" && !revisions.shows(kind)) paragraph.isMarkGone = true;
      if (this.#names.at(-3) === "w:pPr") revisions.count(kind, author);
    } else if (parent === "w:trPr") {
      const row = this.#rows.at(-1);
      revisions.enter(kind, author);
      if (!row) return;
      row.revisions += 1;
      row.isGone ||= !revisions.isShown;
    } else if (parent !== "w:numPr") revisions.enter(kind, author);
  }

  #paragraphProperty(name: string, attributes: Attributes): void {
    const paragraph = this.#paragraphs.at(-1);
    if (!paragraph) return;
    const value = attributes["w:val"] ?? "";
    if (name === "w:pStyle") paragraph.style = value;
    else if (name === "w:numId") paragraph.list.id = value;
    else if (name === "w:ilvl") paragraph.list.level = Number(value) || 0;
  }

  #runProperty(name: string, attributes: Attributes): void {
    const run = this.#runs.at(-1);
    const isOfMark = this.#names.at(-3) === "w:pPr";
    if (isOfMark) {
      const paragraph = this.#paragraphs.at(-1);
      if (paragraph && name === "w:vanish") paragraph.isMarkHidden = isOn(attributes["w:val"]);
    } else if (run && name === "w:rStyle") run.style = attributes["w:val"] ?? "";
    else if (run) addLook(run.look, name, attributes);
  }

  #openTable(name: string, attributes: Attributes): void {
    const row = this.#rows.at(-1);
    const count = Number(attributes["w:val"]) || 0;
    if (name === "w:tbl") {
      this.#flushCarried();
      this.flow.openTable();
    } else if (name === "w:tr") this.#rows.push({ isGone: false, revisions: 0, covered: 0 });
    else if (row && name === "w:tc") row.covered = 0;
    else if (row && name === "w:gridSpan") row.covered = count - 1;
    else if (name === "w:gridBefore") this.flow.addEmptyCells(count);
    else if (name === "w:cellDel" || name === "w:cellIns")
      this.#context.revisions.count(name === "w:cellDel" ? "del" : "ins", attributes["w:author"]);
  }

  #openContent(name: string, attributes: Attributes): void {
    const id = attributes["w:id"] ?? "";
    const { markOf, leftOut } = this.#context;
    switch (name) {
      case "w:p":
        this.flow.openParagraph();
        this.#paragraphs.push({ text: new ParagraphText(), list: {}, isMarkGone: false, isMarkHidden: false });
        break;
      case "w:r":
        this.#runs.push({ look: {}, ownMark: null });
        break;
      case "w:t":
      case "w:delText":
      case "w:instrText":
        this.#textDepth += 1;
        break;
      case "w:tab":
      case "w:ptab":
        if (this.#names.at(-2) === "w:r") this.#addText("\t");
        break;
      case "w:br":
      case "w:cr":
        this.#addText("\n");
        break;
      case "w:noBreakHyphen":
        this.#addText("-");
        break;
      case "w:sym":
        this.#addText(symbolText(attributes["w:font"] ?? "", Number.parseInt(attributes["w:char"] ?? "", 16) || 0));
        break;
      case "w:hyperlink":
        this.#links.push({ place: this.#place(), address: this.#addresses.get(attributes["r:id"] ?? "") });
        break;
      case "w:footnoteReference":
      case "w:endnoteReference": {
        const kind = name === "w:footnoteReference" ? "footnote" : "endnote";
        const run = this.#runs.at(-1);
        if (run && attributes["w:customMarkFollows"] && isOn(attributes["w:customMarkFollows"]))
          run.ownMark = { kind, id, place: this.#place() };
        else this.#add(markOf(kind, id));
        break;
      }
      case "w:commentReference":
        this.#add(markOf("comment", id));
        break;
      case "w:altChunk":
        leftOut.add("embedded document");
        break;
      case "w:rt":
        this.#rubyText = { place: this.#place(), text: "" };
        break;
      case "w:fldChar":
        this.#fields.mark(attributes["w:fldCharType"] ?? "", this.#place(), (place, change) => this.#replace(place, change));
        break;
      default:
        if (!this.#fields.formElement(name, attributes)) this.#openPicture(name, attributes);
    }
  }

  #openPicture(name: string, attributes: Attributes): void {
    const { leftOut, drawing } = this.#context;
    const named = (noun: string, text: string) => {
      if (!this.#isRead()) return;
      leftOut.add(noun);
      this.#add(`[${noun[0]?.toUpperCase()}${noun.slice(1)}${text ? `: ${text.replaceAll(/\s+/g, " ").slice(0, 500)}` : ""}]`);
    };
    if (name === "wp:docPr") this.#drawing = attributes.descr || attributes.title || attributes.name || "";
    else if (name === "pic:pic") named("picture", this.#drawing);
    else if (name === "v:imagedata") named(this.#names.includes("w:object") ? "embedded object" : "picture", attributes["o:title"] ?? "");
    else if (name === "o:OLEObject") this.#add(`[${attributes.ProgID ?? "Embedded object"}]`);
    else if (name === "c:chart" || name === "dgm:relIds") {
      if (this.#isRead()) drawing(attributes["r:id"] ?? attributes["r:dm"] ?? "", this.#drawing);
    } else if (name === "w:control") named("form control", attributes["w:name"] ?? "");
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (!paragraph) return;
    if (this.#carried) paragraph.text.prepend(this.#carried);
    this.#carried = null;
    if (paragraph.isMarkGone) {
      this.#carried = paragraph.text;
      this.flow.closeParagraph();
      return;
    }
    const style = this.#context.styles.of(paragraph.style);
    const isGone = (this.#rows.some((row) => row.isGone) || paragraph.isMarkHidden) && paragraph.text.isEmpty;
    const list = { ...style.list, ...paragraph.list };
    const isItem = list.id !== undefined && list.id !== "0" && !isGone;
    const level = isItem ? (list.level ?? this.#context.labels.levelOf(list.id ?? "", paragraph.style)) : 0;
    const label = isItem ? this.#context.labels.next(list.id ?? "", level) : null;
    const heading = style.heading > 0 ? `${"#".repeat(style.heading)} ` : "";
    if (heading) this.flow.setPrefix(`${heading}${label && label !== "-" ? `${label} ` : ""}`, false);
    else if (label) this.flow.setPrefix(`${"  ".repeat(level)}${label} `, true);
    this.flow.addText(paragraph.text.toString());
    this.flow.closeParagraph();
  }

  #flushCarried(): void {
    if (!this.#carried) return;
    this.flow.openParagraph();
    this.flow.addText(this.#carried.toString());
    this.#carried = null;
    this.flow.closeParagraph();
  }

  #closeRun(): void {
    const run = this.#runs.pop();
    if (!run?.ownMark) return;
    const { kind, id, place } = run.ownMark;
    this.#replace(place, (text) => this.#context.markOf(kind, id, text.trim().replaceAll(/^[~^]|[~^]$/g, "")));
  }

  #closeRow(): void {
    const row = this.#rows.pop();
    for (let at = 0; at < (row?.revisions ?? 0); at += 1) this.#context.revisions.leave();
    if (row?.isGone) this.flow.dropRow();
    else this.flow.closeRow();
  }

  #closeLink(): void {
    const link = this.#links.pop();
    if (link) this.#replace(link.place, (text) => linked(text, link.address));
  }

  #closeRuby(): void {
    const ruby = this.#rubyText;
    if (!ruby) return;
    this.#replace(ruby.place, (text) => {
      ruby.text = text;
      return "";
    });
  }

  #closeMath(): void {
    const math = this.#math;
    if (!math?.builder.close()) return;
    this.#math = null;
    const latex = latexOf(math.builder.root, (change) => {
      const kind = Revisions.kindOf(change);
      return kind === null || this.#context.revisions.shows(kind);
    });
    if (latex === "" || !this.#isRead()) return;
    const text = math.isDisplayed ? `$$${latex}$$` : `$${latex}$`;
    if (this.#paragraphs.length > 0) this.#add(text);
    else {
      this.flow.openParagraph();
      this.flow.addText(text);
      this.flow.closeParagraph();
    }
  }

  #look(): Look {
    const run = this.#runs.at(-1);
    if (!run) return {};
    const { styles } = this.#context;
    const ofParagraph = styles.of(this.#paragraphs.at(-1)?.style).look;
    const ofRun = run.style === undefined ? {} : styles.of(run.style).look;
    return { ...ofParagraph, ...ofRun, ...run.look };
  }

  #addText(text: string): void {
    const { revisions, leftOut } = this.#context;
    revisions.pass();
    if (!revisions.isShown) return;
    const look = this.#look();
    if (look.isHidden) leftOut.add("character of hidden text", text.length);
    else this.#paragraphs.at(-1)?.text.add(text, look, revisions.mark);
  }

  /** Adds a sign of ours, which has no look of its own. */
  #add(text: string): void {
    if (this.#isRead()) this.#paragraphs.at(-1)?.text.add(text, {}, null);
  }

  #isRead(): boolean {
    return this.#context.revisions.isShown && !this.#look().isHidden;
  }

  #place(): ParagraphPlace {
    return this.#paragraphs.at(-1)?.text.place() ?? { segments: 0, chars: 0 };
  }

  #replace(place: ParagraphPlace, change: (text: string) => string): void {
    this.#paragraphs.at(-1)?.text.replaceFrom(place, change);
  }
}
