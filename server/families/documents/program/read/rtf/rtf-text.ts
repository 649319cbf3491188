import { FlowText } from "../flow-text.ts";
import { LeftOut } from "../left-out.ts";
import { TextBudget } from "../text-budget.ts";
import { type RtfToken, rtfTokens } from "./rtf-tokens.ts";

type State = {
  isSkipped: boolean;
  isHidden: boolean;
  isStruck: boolean;
  rise: "" | "super" | "sub";
  /** Bytes or signs after \u that stand for programs without Unicode. */
  unicodeSkip: number;
  font: number;
  isFontTable: boolean;
  isFootnote: boolean;
};

/** Destinations without text of the document. */
const unread = new Set(
  "colortbl stylesheet info pict object listtable listoverridetable revtbl rsidtbl generator filetbl header headerl headerr headerf footer footerl footerr footerf ftnsep ftnsepc aftnsep aftnsepc themedata datastore latentstyles xmlnstbl fldinst bkmkstart bkmkend mmathPr nonshppict htmltag atnid atnauthor atnref atrfstart atrfend".split(
    " ",
  ),
);
const signs: Readonly<Record<string, string>> = {
  tab: "\t",
  line: "\n",
  emdash: "—",
  endash: "–",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  bullet: "•",
  emspace: " ",
  enspace: " ",
  "~": "\u00a0",
  _: "-",
};
const maxGroups = 1_000;

/** Writes the text of an RTF file as Markdown. Pictures are counted, hidden text is left out and counted. */
export function rtfText(bytes: Uint8Array, maxChars: number): { text: string; isTruncated: boolean; notes: string[] } {
  const budget = new TextBudget(maxChars);
  const writer = new RtfWriter(budget);
  for (const token of rtfTokens(bytes)) {
    if (budget.isFull) break;
    writer.take(token);
  }
  return { ...writer.end(), text: budget.toString(), isTruncated: budget.isTruncated };
}

/** Writes a document, token by token. */
class RtfWriter {
  readonly #budget: TextBudget;
  readonly #flow: FlowText;
  readonly #leftOut = new LeftOut();
  readonly #fonts = new Map<number, number>();
  readonly #footnotes: string[] = [];
  readonly #stack: State[] = [];
  #state: State = {
    isSkipped: false,
    isHidden: false,
    isStruck: false,
    rise: "",
    unicodeSkip: 1,
    font: 0,
    isFontTable: false,
    isFootnote: false,
  };
  #codePage = 1252;
  #pending: number[] = [];
  #toSkip = 0;
  #isInTable = false;
  #isRowOver = false;
  #isOptional = false;
  #note = "";

  constructor(budget: TextBudget) {
    this.#budget = budget;
    this.#flow = new FlowText(budget);
    this.#flow.openParagraph();
  }

  take(token: RtfToken): void {
    if (token.kind !== "byte") this.#flush();
    if (token.kind === "open") {
      if (this.#stack.length < maxGroups) this.#stack.push({ ...this.#state });
      this.#isOptional = false;
    } else if (token.kind === "close") this.#closeGroup();
    else if (token.kind === "control") this.#control(token.word, token.value);
    else if (this.#toSkip > 0) this.#toSkip -= 1;
    else {
      if (!this.#state.isSkipped) this.#leaveTable();
      this.#pending.push(token.byte);
    }
  }

  end(): { notes: string[] } {
    this.#flush();
    this.#flow.closeParagraph();
    if (this.#isInTable) this.#flow.closeTable();
    for (const [at, text] of this.#footnotes.entries()) this.#budget.add(`\n[^${at + 1}]: ${text}`);
    return { notes: this.#leftOut.sentences() };
  }

  #write(text: string): void {
    const { isSkipped, isFontTable, isHidden, isStruck, rise, isFootnote } = this.#state;
    if (isSkipped || isFontTable) return;
    if (isHidden) {
      this.#leftOut.add("character of hidden text", text.length);
      return;
    }
    const struck = isStruck && text.trim() !== "" ? `~~${text}~~` : text;
    const marked = rise && text.trim() !== "" ? (rise === "super" ? `^${text}^` : `~${text}~`) : struck;
    if (isFootnote) this.#note += marked;
    else this.#flow.addText(marked);
  }

  #flush(): void {
    if (this.#pending.length === 0) return;
    const font = this.#fonts.get(this.#state.font);
    this.#write(decoderOf(font ?? this.#codePage).decode(Uint8Array.from(this.#pending)));
    this.#pending = [];
  }

  #closeGroup(): void {
    const was = this.#state;
    this.#state = this.#stack.pop() ?? was;
    if (was.isFootnote && !this.#state.isFootnote) {
      this.#footnotes.push(this.#note.trim());
      this.#note = "";
    }
    this.#toSkip = 0;
  }

  /** Reads a word that begins what is not text, or not text of the document; false for any other. */
  #destination(word: string): boolean {
    const state = this.#state;
    if (word === "pict" && !state.isSkipped) {
      this.#leftOut.add("picture");
      state.isSkipped = true;
    } else if (word === "fonttbl") state.isFontTable = true;
    else if (word === "footnote") {
      this.#write(`[^${this.#footnotes.length + 1}]`);
      state.isFootnote = true;
    } else if (unread.has(word)) state.isSkipped = true;
    else return false;
    return true;
  }

  /** Reads a property of the text that follows; false for any other word. */
  #property(word: string, value: number | null): boolean {
    const state = this.#state;
    const isOn = value !== 0;
    if (word === "v") state.isHidden = isOn;
    else if (word === "deleted") state.isHidden = isOn;
    else if (word === "strike" || word === "striked") state.isStruck = isOn;
    else if (word === "super" || word === "sub") state.rise = isOn ? word : "";
    else if (word === "nosupersub") state.rise = "";
    else if (word === "plain") Object.assign(state, { isHidden: false, isStruck: false, rise: "" });
    else if (word === "uc") state.unicodeSkip = value ?? 1;
    else if (word === "f") state.font = value ?? 0;
    else if (word === "fcharset") this.#fonts.set(state.font, pageOfCharset[value ?? 0] ?? this.#codePage);
    else if (word === "ansicpg") this.#codePage = value ?? 1252;
    else if (word === "htmlrtf") state.isSkipped = isOn;
    else return false;
    return true;
  }

  #control(word: string, value: number | null): void {
    const wasOptional = this.#isOptional;
    this.#isOptional = word === "*";
    if (word === "*" || this.#destination(word) || this.#property(word, value)) return;
    if (wasOptional && !["shppict", "annotation"].includes(word)) this.#state.isSkipped = true;
    else if (word === "annotation") this.#write(" [comment: ");
    else if (this.#state.isSkipped) return;
    else if (word === "u") {
      this.#write(String.fromCharCode(((value ?? 63) + 65_536) % 65_536));
      this.#toSkip = this.#state.unicodeSkip;
    } else if (!this.#table(word)) this.#sign(word);
  }

  /** Reads a word of a table's form; false for any other. */
  #table(word: string): boolean {
    if (word === "trowd" && !this.#isInTable) {
      this.#isInTable = true;
      this.#flow.closeParagraph();
      this.#flow.openTable();
      this.#flow.openParagraph();
    } else if (word === "cell") {
      this.#flow.closeParagraph();
      this.#flow.closeCell();
      this.#flow.openParagraph();
    } else if (word === "row") this.#flow.closeRow();
    else if (word === "pard" && this.#isInTable) this.#isRowOver = true;
    else if (word === "intbl") this.#isRowOver = false;
    else return false;
    return true;
  }

  #sign(word: string): void {
    if (word === "par" || word === "sect" || word === "page") {
      if (this.#state.isFootnote) this.#note += " ";
      else {
        this.#flow.closeParagraph();
        this.#flow.openParagraph();
      }
    } else if (signs[word] !== undefined) this.#write(signs[word]);
  }

  #leaveTable(): void {
    if (!this.#isInTable || !this.#isRowOver) return;
    this.#isInTable = false;
    this.#isRowOver = false;
    this.#flow.closeParagraph();
    this.#flow.closeTable();
    this.#flow.openParagraph();
  }
}

/** The code page of a font's character set. */
const pageOfCharset: Readonly<Record<number, number>> = {
  0: 1252,
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};
const labels: Readonly<Record<number, string>> = {
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  874: "windows-874",
  10000: "macintosh",
  65001: "utf-8",
  20127: "windows-1252",
  28591: "windows-1252",
  28592: "iso-8859-2",
  28605: "iso-8859-15",
  50220: "iso-2022-jp",
  51932: "euc-jp",
  20866: "koi8-r",
  54936: "gb18030",
};

/** Returns the decoder of a code page of Windows. */
export function decoderOf(page: number): TextDecoder {
  try {
    return new TextDecoder(labels[page] ?? `windows-${page}`);
  } catch {
    return new TextDecoder("windows-1252");
  }
}
