import { DocumentError } from "../document-error.ts";

/** A set of numbers from 1. `last` is the greatest wanted number. */
export type NumberRanges = { has: (number: number) => boolean; last: number };

/** Parses "1-5,8,10-" (the last range is open). Absent: all numbers. @throws DocumentError that names the argument */
export function numberRanges(text: string | undefined, argument: string): NumberRanges {
  if (text === undefined) return { has: () => true, last: Number.POSITIVE_INFINITY };
  const ranges = text.split(",").map((piece) => {
    const [, from, dash, to] = /^\s*(\d{1,7})\s*(?:(-)\s*(\d{1,7})?)?\s*$/.exec(piece) ?? [];
    const first = Number(from);
    const last = dash ? (to ? Number(to) : Number.POSITIVE_INFINITY) : first;
    if (!from || first < 1 || last < first) {
      throw new DocumentError("invalid", `${argument}: "${piece.trim().slice(0, 40)}" is not a range. Send one such as 1-5,8.`);
    }
    return { first, last };
  });
  return {
    has: (number) => ranges.some(({ first, last }) => number >= first && number <= last),
    last: Math.max(...ranges.map(({ last }) => last)),
  };
}

/** Describes which of all numbered parts were read: "pages 1 to 5 of 200". */
export function extentOf(noun: string, read: readonly number[], total: number): string {
  if (total === 1) return `1 ${noun}`;
  if (read.length === total) return `${total.toLocaleString("en")} ${noun}s`;
  const isRun = read.every((number, index) => index === 0 || number === (read[index - 1] ?? 0) + 1);
  const which = read.length === 0 ? "none" : isRun && read.length > 1 ? `${read[0]} to ${read.at(-1)}` : read.slice(0, 20).join(", ");
  return `${noun}${read.length === 1 ? "" : "s"} ${which} of ${total.toLocaleString("en")}`;
}
