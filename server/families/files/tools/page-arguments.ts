import { z } from "zod";
import { maxPageBytes, type TextPage } from "@/server/tools/text-page";

export const maxLinesPerPage = 1_000;

/** Parses a whole number and clamps it to its range, because models ask for line 0 and for more lines than a page has. */
export function clampedInt({ min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number }) {
  return z.number().transform((value) => Math.min(max, Math.max(min, Math.trunc(value))));
}

/** Says which lines a page holds, and where the next page begins. */
export function pageSentence(
  startLine: number,
  { totalLines, endLine, nextStartLine, nextStartColumn, hasForeignBytes }: TextPage,
): string {
  if (totalLines === 0) return "empty.";
  const total = totalLines === null ? "a text too large to count its lines" : totalLines.toString();
  const sentences = [`lines ${startLine} to ${endLine} of ${total}.`];
  if (nextStartColumn !== null) {
    const limit = maxPageBytes.toLocaleString("en");
    sentences.push(
      `Line ${endLine} has more than ${limit} bytes: go on with startLine ${nextStartLine} and startColumn ${nextStartColumn}.`,
    );
  } else if (nextStartLine !== null) {
    sentences.push(`Go on with startLine ${nextStartLine}.`);
  }
  if (hasForeignBytes) sentences.push("Bytes that are not UTF-8 are shown as \uFFFD.");
  return sentences.join(" ");
}
