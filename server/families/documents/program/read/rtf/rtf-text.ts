import { FlowText } from "../flow-text.ts";
import { LeftOut } from "../left-out.ts";
import { TextBudget } from "../text-budget.ts";
import { rtfTokens } from "./rtf-tokens.ts";

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
  const flow = new FlowText(budget);
  const leftOut = new LeftOut();
  const fonts = new Map<number, number>();
  const footnotes: string[] = [];
  let codePage = 1252;
  let state: State = {
    isSkipped: false,
    isHidden: false,
    isStruck: false,
    rise: "",
    unicodeSkip: 1,
    font: 0,
    isFontTable: false,
    isFootnote: false,
  };
  const stack: State[] = [];
  let pending: number[] = [];
  let toSkip = 0;
  let isInTable = false;
  let isOptional = false;
  let note = "";
  const write = (text: string) => {
    if (state.isSkipped || state.isFontTable) return;
    if (state.isHidden) leftOut.add("character of hidden text", text.length);
    else {
      const struck = state.isStruck && text.trim() !== "" ? `~~${text}~~` : text;
      const marked = state.rise && text.trim() !== "" ? (state.rise === "super" ? `^${text}^` : `~${text}~`) : struck;
      if (state.isFootnote) note += marked;
      else flow.addText(marked);
    }
  };
  const flush = () => {
    if (pending.length === 0) return;
    const font = fonts.get(state.font);
    write(decoderOf(font ?? codePage).decode(Uint8Array.from(pending)));
    pending = [];
  };
  const endParagraph = () => {
    flow.closeParagraph();
    flow.openParagraph();
  };
  const property = (word: string, value: number | null) => {
    const isOn = value !== 0;
    if (word === "v") state.isHidden = isOn;
    else if (word === "deleted") state.isHidden = isOn;
    else if (word === "strike" || word === "striked") state.isStruck = isOn;
    else if (word === "super" || word === "sub") state.rise = isOn ? word : "";
    else if (word === "nosupersub") state.rise = "";
    else if (word === "plain") Object.assign(state, { isHidden: false, isStruck: false, rise: "" });
    else if (word === "uc") state.unicodeSkip = value ?? 1;
    else if (word === "f") state.font = value ?? 0;
    else if (word === "fcharset") fonts.set(state.font, pageOfCharset[value ?? 0] ?? codePage);
    else if (word === "ansicpg") codePage = value ?? 1252;
    else if (word === "htmlrtf") state.isSkipped = isOn;
    else return false;
    return true;
  };
  const control = (word: string, value: number | null) => {
    const optional = isOptional;
    isOptional = false;
    if (word === "*") isOptional = true;
    else if (word === "pict" && !state.isSkipped) {
      leftOut.add("picture");
      state.isSkipped = true;
    } else if (word === "fonttbl") state.isFontTable = true;
    else if (word === "footnote") {
      write(`[^${footnotes.length + 1}]`);
      state.isFootnote = true;
    } else if (unread.has(word)) state.isSkipped = true;
    else if (property(word, value)) return;
    else if (optional && !["shppict", "annotation"].includes(word)) state.isSkipped = true;
    else if (word === "annotation") write(" [comment: ");
    else if (state.isSkipped) return;
    else if (word === "u") {
      write(String.fromCharCode(((value ?? 63) + 65_536) % 65_536));
      toSkip = state.unicodeSkip;
    } else if (word === "trowd" && !isInTable) {
      isInTable = true;
      flow.closeParagraph();
      flow.openTable();
      flow.openParagraph();
    } else if (word === "cell") {
      flow.closeParagraph();
      flow.closeCell();
      flow.openParagraph();
    } else if (word === "row") flow.closeRow();
    else if (word === "pard" && isInTable) isRowOver = true;
    else if (word === "intbl") isRowOver = false;
    else if (word === "par" || word === "sect" || word === "page") {
      if (state.isFootnote) note += " ";
      else endParagraph();
    } else if (signs[word] !== undefined) write(signs[word]);
  };
  let isRowOver = false;
  const leaveTable = () => {
    if (!isInTable || !isRowOver) return;
    isInTable = false;
    isRowOver = false;
    flow.closeParagraph();
    flow.closeTable();
    flow.openParagraph();
  };
  flow.openParagraph();
  for (const token of rtfTokens(bytes)) {
    if (budget.isFull) break;
    if (token.kind !== "byte") flush();
    if (token.kind === "open") {
      if (stack.length < maxGroups) stack.push({ ...state });
      isOptional = false;
    } else if (token.kind === "close") {
      const was = state;
      state = stack.pop() ?? state;
      if (was.isFootnote && !state.isFootnote) {
        footnotes.push(note.trim());
        note = "";
      }
      toSkip = 0;
    } else if (token.kind === "control") control(token.word, token.value);
    else if (toSkip > 0) toSkip -= 1;
    else {
      if (!state.isSkipped) leaveTable();
      pending.push(token.byte);
    }
  }
  flush();
  flow.closeParagraph();
  if (isInTable) flow.closeTable();
  for (const [at, text] of footnotes.entries()) budget.add(`\n[^${at + 1}]: ${text}`);
  return { text: budget.toString(), isTruncated: budget.isTruncated, notes: leftOut.sentences() };
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
