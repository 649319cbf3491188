import { DocumentError } from "../document-error.ts";
import { type NumberFormat, numberFormat, plainNumber } from "./number-format.ts";
import { readRelations, readXml } from "./xml-events.ts";
import type { ZipContainer } from "./zip-container.ts";

const workbook = "xl/workbook.xml";
const maxSharedChars = 100_000_000;

export const withoutPrefix = (tag: string): string => tag.slice(tag.indexOf(":") + 1);

/** Decodes the escapes of signs that XML does not hold: `_x000D_` is a carriage return, `_x005F_` an underscore. */
export const decodeEscapes = (text: string): string =>
  text.includes("_x")
    ? text.replaceAll(/_x([0-9a-f]{4})_/gi, (_, hex: string) => {
        const code = Number.parseInt(hex, 16);
        // Control signs other than tabs and line ends mean nothing in a text.
        return code < 0x20 && ![0x09, 0x0a, 0x0d].includes(code) ? "" : String.fromCharCode(code);
      })
    : text;

export type Sheet = { name: string; part: string; isHidden: boolean };
export type Workbook = {
  sheets: Sheet[];
  startsIn1904: boolean;
  /** The writing program left the formulas to be calculated when the file is opened. */
  isUncalculated: boolean;
  /** Part with the names of people who comment. */
  people: string | null;
};

export async function readWorkbook(zip: ZipContainer): Promise<Workbook> {
  const relations = await readRelations(zip, workbook);
  const sheets: Sheet[] = [];
  let startsIn1904 = false;
  let isUncalculated = false;
  await readXml(zip, workbook, {
    open: (tag, attributes) => {
      const name = withoutPrefix(tag);
      // Extensions hold elements of the same names, without these attributes.
      if (name === "workbookPr") startsIn1904 ||= isTrue(attributes.date1904);
      if (name === "calcPr") isUncalculated ||= isTrue(attributes.fullCalcOnLoad);
      const part = name === "sheet" ? relations.get(attributes["r:id"] ?? "")?.target : undefined;
      if (!part || !zip.has(part)) return;
      const state = attributes.state?.toLowerCase();
      const isHidden = state === "hidden" || state === "veryhidden";
      sheets.push({ name: decodeEscapes(attributes.name ?? `Sheet ${sheets.length + 1}`), part, isHidden });
    },
  });
  const people = [...relations.values()].find(({ type }) => type === "person")?.target ?? null;
  return { sheets, startsIn1904, isUncalculated, people };
}

export const isTrue = (value: string | undefined): boolean => value === "1" || value === "true";

export async function sharedStrings(zip: ZipContainer): Promise<string[]> {
  const strings: string[] = [];
  if (!zip.has("xl/sharedStrings.xml")) return strings;
  let pieces: string[] = [];
  let isText = false;
  let isPhonetic = false;
  let chars = 0;
  await readXml(zip, "xl/sharedStrings.xml", {
    open: (tag) => {
      const name = withoutPrefix(tag);
      if (name === "si") pieces = [];
      else if (name === "t") isText = true;
      else if (name === "rPh") isPhonetic = true;
    },
    close: (tag) => {
      const name = withoutPrefix(tag);
      if (name === "si") strings.push(decodeEscapes(pieces.join("")));
      else if (name === "t") isText = false;
      else if (name === "rPh") isPhonetic = false;
    },
    text: (text) => {
      if (!isText || isPhonetic) return;
      chars += text.length;
      if (chars > maxSharedChars) throw new DocumentError("too_large", "The workbook has more than 100 million characters of text.");
      pieces.push(text);
    },
  });
  return strings;
}

/** Returns the number format of each cell style, by its index. */
export async function cellFormats(zip: ZipContainer, startsIn1904: boolean): Promise<(style: number) => NumberFormat> {
  if (!zip.has("xl/styles.xml")) return () => plainNumber;
  const patterns = new Map<number, string>();
  const ids: number[] = [];
  let isInCells = false;
  await readXml(zip, "xl/styles.xml", {
    open: (tag, attributes) => {
      const name = withoutPrefix(tag);
      if (name === "numFmt") patterns.set(Number(attributes.numFmtId), attributes.formatCode ?? "");
      else if (name === "cellXfs") isInCells = true;
      else if (name === "xf" && isInCells) ids.push(Number(attributes.numFmtId) || 0);
    },
    close: (tag) => {
      if (withoutPrefix(tag) === "cellXfs") isInCells = false;
    },
  });
  const formats = new Map<number, NumberFormat>();
  return (style) => {
    const id = ids[style];
    if (id === undefined) return plainNumber;
    const known = formats.get(id) ?? numberFormat(id, patterns.get(id), { startsIn1904 });
    formats.set(id, known);
    return known;
  };
}
