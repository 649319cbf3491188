import { z } from "zod";
import { maxPageBytes, type TextPage } from "@/server/tools/results/text-page";
import type { LinesRead } from "@/server/tools/tool-traits";

export const maxLinesPerPage = 1_000;

/**
 * Parses a whole number and clamps it to its range, because models ask for line 0 and for more lines than a page has. The
 * schema names the range.
 */
export function clampedInt({ min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number }) {
  const range = { minimum: min, ...(max < Number.MAX_SAFE_INTEGER ? { maximum: max } : {}) };
  return z
    .number()
    .meta(range)
    .transform((value) => Math.min(max, Math.max(min, Math.trunc(value))));
}

/** Says which lines a page holds, and where the next page begins. */
export function pageSentence(
  startLine: number,
  { totalLines, countedLines, endLine, nextStartLine, nextStartColumn, hasForeignBytes }: TextPage,
): string {
  if (totalLines === 0) return "empty.";
  const total = totalLines === null ? `at least ${Math.max(countedLines, endLine)}` : totalLines.toString();
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

/** Finds the lines that a page shows from its sentence. A file whose lines were not all counted has endlessly many. */
export function linesIn(page: string, path: string): LinesRead | null {
  if (!page.startsWith(`${path}: `)) return null;
  const sentence = page.slice(path.length + 2);
  if (sentence.startsWith("empty.")) return { from: 1, to: 0, total: 0 };
  const [, from, to, total, cut] = /^lines (\d+) to (\d+) of (\d+|at least \d+)\.( Line \d+ has more)?/.exec(sentence) ?? [];
  if (!from || !to || !total) return null;
  // The next page goes on in the line that this page cuts, and so shows the rest of that line.
  return { from: Number(from), to: Number(to) - (cut ? 1 : 0), total: /^\d+$/.test(total) ? Number(total) : Number.POSITIVE_INFINITY };
}
