import type { Tone } from "../tone";

/** Characters `start` to `end` (exclusive) of a text, with a note for people. */
export type TextMark = { start: number; end: number; note: string; tone: Tone };

/** A piece of a text with the notes of all marks that cover it, and the tone of the first mark. */
export type MarkedPiece = { text: string; start: number; notes: readonly string[]; tone: Tone | null };

/** Splits a text at the edges of marks, which may overlap. The pieces add up to the text. */
export function splitMarks(text: string, marks: readonly TextMark[]): MarkedPiece[] {
  const edges = [...new Set([0, text.length, ...marks.flatMap(({ start, end }) => [start, end])])].toSorted((a, b) => a - b);
  return edges.slice(0, -1).map((start, place) => {
    const covering = marks.filter((mark) => mark.start <= start && start < mark.end);
    return {
      text: text.slice(start, edges[place + 1]),
      start,
      notes: [...new Set(covering.map(({ note }) => note))],
      tone: covering[0]?.tone ?? null,
    };
  });
}
