/** Ways to compare lines, strictest first. */
export const matchStrategies = ["exact", "trailing_space", "indentation", "white_space", "punctuation"] as const;
export type MatchStrategy = (typeof matchStrategies)[number];

export const strategySentences: Record<MatchStrategy, string> = {
  exact: "exactly",
  trailing_space: "without the spaces at line ends",
  indentation: "without the indentation",
  white_space: "with white space as one space",
  punctuation: "with quotes, dashes and spaces of any kind taken as plain ones",
};

const plainSigns: readonly (readonly [RegExp, string])[] = [
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u2018-\u201b\u2032]/g, "'"],
  [/[\u201c-\u201f\u2033]/g, '"'],
  [/\u2026/g, "..."],
];
const squeezed = (line: string): string => line.replaceAll(/\s+/g, " ").trim();

const normalised: Record<MatchStrategy, (line: string) => string> = {
  exact: (line) => line,
  trailing_space: (line) => line.trimEnd(),
  indentation: (line) => line.trim(),
  white_space: squeezed,
  punctuation: (line) => squeezed(plainSigns.reduce((text, [signs, plain]) => text.replaceAll(signs, plain), line)),
};

/** The most places that a search returns. */
const maxPlaces = 100_000;

/** The lines of a file, each normalised once per strategy. */
export class SearchedLines {
  readonly #normalised = new Map<MatchStrategy, readonly string[]>();

  constructor(readonly lines: readonly string[]) {}

  /**
   * Finds lines that follow one another, with the strictest strategy that finds any.
   * @param from the first line to look at, from 0
   * @returns indexes of the places, which may overlap; empty when no strategy finds one
   */
  find(wanted: readonly string[], from = 0): { strategy: MatchStrategy; places: number[] } {
    for (const strategy of matchStrategies) {
      // Blank lines fit everywhere, so only their exact form counts.
      if (strategy !== "exact" && wanted.every((line) => line.trim() === "")) break;
      const places = this.#places(strategy, wanted, from);
      if (places.length > 0) return { strategy, places };
    }
    return { strategy: "exact", places: [] };
  }

  #places(strategy: MatchStrategy, wanted: readonly string[], from: number): number[] {
    const lines = this.#normalised.get(strategy) ?? this.lines.map(normalised[strategy]);
    this.#normalised.set(strategy, lines);
    const sought = wanted.map(normalised[strategy]);
    const fallback = fallbackOf(sought);
    const places: number[] = [];
    let length = 0;
    for (let at = from; at < lines.length && places.length < maxPlaces; at += 1) {
      while (length > 0 && lines[at] !== sought[length]) length = fallback[length - 1] ?? 0;
      if (lines[at] === sought[length]) length += 1;
      if (length < sought.length) continue;
      places.push(at + 1 - length);
      length = fallback.at(-1) ?? 0;
    }
    return places;
  }
}

/** Returns the failure function of Knuth, Morris and Pratt, so that a search takes linear time whatever the lines are. */
function fallbackOf(sought: readonly string[]): number[] {
  const fallback = [0];
  let length = 0;
  for (let at = 1; at < sought.length; at += 1) {
    while (length > 0 && sought[at] !== sought[length]) length = fallback[length - 1] ?? 0;
    if (sought[at] === sought[length]) length += 1;
    fallback.push(length);
  }
  return fallback;
}

/**
 * Returns a function that gives new lines the indentation of the place: lines were sent with the indentation of `sent`,
 * and stand at that of `found`.
 */
export function reindent(sent: readonly string[], found: readonly string[]): (line: string) => string {
  const index = sent.findIndex((line) => line.trim() !== "");
  const [from, to] = [sent[index] ?? "", found[index] ?? ""].map((line) => /^[ \t]*/.exec(line)?.[0] ?? "");
  if (from === to || from === undefined || to === undefined) return (line) => line;
  return (line) => (line.trim() !== "" && line.startsWith(from) ? to + line.slice(from.length) : line);
}
