import type { Piece } from "./page-lines.ts";

/** The parts of pdf.js's annotations that are read. */
export type Annotation = {
  subtype?: string;
  rect: number[];
  annotationFlags?: number;
  fieldType?: string;
  fieldName?: string;
  fieldValue?: unknown;
  alternativeText?: string;
  checkBox?: boolean;
  radioButton?: boolean;
  pushButton?: boolean;
  password?: boolean;
  exportValue?: string;
  buttonValue?: string;
  options?: { exportValue?: string; displayValue?: string }[];
  defaultAppearanceData?: { fontSize?: number };
  contentsObj?: { str?: string };
  titleObj?: { str?: string };
  quadPoints?: ArrayLike<number> | null;
  url?: string;
  unsafeUrl?: string;
  parentType?: string | null;
  file?: { filename?: string };
};

const hiddenFlag = 2;
const noViewFlag = 32;
export const isSeen = ({ annotationFlags = 0 }: Annotation): boolean => (annotationFlags & (hiddenFlag | noViewFlag)) === 0;

export type FormCount = { fields: number; empty: number };

/** Returns the values of the form fields of a page as pieces of text at their places. */
export function fieldPieces(annotations: readonly Annotation[], count: FormCount): Piece[] {
  const pieces: Piece[] = [];
  for (const field of annotations) {
    if (field.subtype !== "Widget" || !isSeen(field) || field.pushButton) continue;
    const text = fieldText(field);
    count.fields += 1;
    if (text === "") count.empty += 1;
    const [left = 0, bottom = 0, right = 0, top = 0] = field.rect;
    const lines = text.split(/\r\n?|\n/);
    const height = (top - bottom) / Math.max(1, lines.length);
    const size = Math.max(4, Math.min(14, height * 0.75, field.defaultAppearanceData?.fontSize || 14));
    for (const [at, line] of lines.entries()) {
      if (line.trim() === "") continue;
      const y = top - (at + 0.5) * height - size * 0.35;
      pieces.push({ text: line, x: left, y, width: Math.max(1, right - left), size, angle: 0, hasSpaceBefore: true });
    }
  }
  return pieces;
}

function fieldText(field: Annotation): string {
  const { fieldValue } = field;
  if (field.checkBox) return fieldValue && fieldValue !== "Off" ? "☒" : "☐";
  if (field.radioButton) return fieldValue && fieldValue === field.buttonValue ? "(x)" : "( )";
  if (field.fieldType === "Sig") return fieldValue ? "[signed]" : "[signature: empty]";
  const values = (Array.isArray(fieldValue) ? fieldValue : [fieldValue]).filter((value): value is string => typeof value === "string");
  if (field.password && values.join("") !== "") return "[password]";
  return values
    .map((value) => field.options?.find(({ exportValue }) => exportValue === value)?.displayValue ?? value)
    .join(", ")
    .replaceAll("\0", "");
}

/** The text of free notes, which stands on the page. */
export function freeTextPieces(annotations: readonly Annotation[]): Piece[] {
  return annotations.flatMap((annotation) => {
    const text = annotation.subtype === "FreeText" && isSeen(annotation) ? (annotation.contentsObj?.str ?? "") : "";
    const [left = 0, , right = 0, top = 0] = annotation.rect;
    return text
      .split(/\r\n?|\n/)
      .filter((line) => line.trim() !== "")
      .map((line, at) => ({ text: line, x: left, y: top - 12 - at * 12, width: right - left, size: 10, angle: 0, hasSpaceBefore: true }));
  });
}

/** Writes notes, marked text and links of a page, each with the text that it lies on. */
export function annotationLines(annotations: readonly Annotation[], pieces: readonly Piece[]): string[] {
  const lines: string[] = [];
  for (const annotation of annotations) {
    const { subtype = "", url, unsafeUrl } = annotation;
    if (!isSeen(annotation) || ["Widget", "Popup", "FreeText"].includes(subtype)) continue;
    const note = oneLine(annotation.contentsObj?.str);
    const by = oneLine(annotation.titleObj?.str);
    const address = url ?? unsafeUrl;
    if (subtype === "Link") {
      const text = oneLine(textUnder(annotation, pieces));
      if (address && text !== address && `mailto:${text}` !== address) lines.push(`[Link: ${text ? `${text} → ` : ""}${address}]`);
      continue;
    }
    const verb = { Highlight: "Highlighted", Underline: "Underlined", Squiggly: "Underlined", StrikeOut: "Struck out" }[subtype];
    const about = verb ? ` "${oneLine(textUnder(annotation, pieces))}"` : "";
    const name =
      verb ??
      (subtype === "Text" ? "Note" : subtype === "FileAttachment" ? `Attached file ${annotation.file?.filename ?? ""}`.trim() : subtype);
    if (note || verb || subtype === "FileAttachment") lines.push(`[${name}${about}${by ? ` by ${by}` : ""}${note ? `: ${note}` : ""}]`);
  }
  return [...new Set(lines)];
}

const oneLine = (text: string | undefined): string => (text ?? "").replaceAll(/\s+/g, " ").trim().slice(0, 5_000);

/** Cuts the text under an annotation out of its pieces, by the share of their width. */
function textUnder({ rect, quadPoints }: Annotation, pieces: readonly Piece[]): string {
  const boxes = quadPoints && quadPoints.length >= 8 ? boxesOf(quadPoints) : [rect];
  return boxes.map((box) => textIn(box, pieces)).join(" ");
}

function boxesOf(points: ArrayLike<number>): number[][] {
  const boxes: number[][] = [];
  for (let at = 0; at + 7 < points.length; at += 8) {
    const xs = [0, 2, 4, 6].map((offset) => points[at + offset] ?? 0);
    const ys = [1, 3, 5, 7].map((offset) => points[at + offset] ?? 0);
    boxes.push([Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]);
  }
  return boxes;
}

function textIn([left = 0, bottom = 0, right = 0, top = 0]: readonly number[], pieces: readonly Piece[]): string {
  return pieces
    .filter(
      ({ angle, x, y, width, size }) => angle === 0 && y + size * 0.3 > bottom && y + size * 0.3 < top && x < right && x + width > left,
    )
    .map(({ text, x, width }) => {
      const share = (at: number) => Math.round(Math.min(1, Math.max(0, (at - x) / Math.max(1, width))) * text.length);
      return text.slice(share(left), share(right));
    })
    .join(" ");
}
