export type BoundTextOptions = {
  maxChars: number;
  /** The artifact with the whole text; null when the artifact could not be stored. */
  artifactId: string | null;
  /** The tool that reads the artifact; null when the model has none. */
  readTool: string | null;
  /** Sections of the text. Each keeps its beginning and its end; a short section stays whole. */
  sections?: readonly string[];
};

/** Words of an error. They are searched near the end, because the model needs to see an error there. */
const errorWords = /\b(error|exception|failed|failure|fatal|panic|traceback|denied|not found)\b/i;
const endExamined = 2_000;

/** Share of the room that the beginning gets. */
const headShare = { usual: 0.4, errorAtEnd: 0.2 };
/** The longest line that replaces omitted characters. */
const maxGapChars = 100;
/** The most characters given up to cut between two lines. */
const maxSnapChars = 200;

/**
 * Cuts a text to at most `maxChars` UTF-16 units: a marker that says how to read on, then the beginning and the end of
 * each section, never cut inside a character. The end gets 60 % of the room, 80 % when an error stands there.
 */
export function boundText(text: string, options: BoundTextOptions): string {
  if (text.length <= options.maxChars) return text;
  const marker = markerOf(text.length, options);
  const sections = (options.sections ?? [text]).filter((section) => section !== "");
  const rooms = roomsFor(
    sections.map(({ length }) => length),
    Math.max(0, options.maxChars - marker.length),
  );
  let offset = 0;
  const shown = sections.map((section, place) => {
    const cut = cutSection(text, { from: offset, to: offset + section.length }, rooms[place] ?? 0);
    offset += section.length;
    return cut;
  });
  return marker + shown.join("");
}

function markerOf(chars: number, { artifactId, readTool }: BoundTextOptions): string {
  const rest = !artifactId
    ? "the rest could not be kept"
    : readTool
      ? `${readTool} {"id": "${artifactId}"} reads on`
      : `kept whole as artifact ${artifactId}`;
  return `[result cut: ${grouped(chars)} characters in all; ${rest}]\n`;
}

/** Divides the characters among the sections: short sections stay whole, all others get equal shares. */
export function roomsFor(lengths: readonly number[], total: number): number[] {
  const rooms = lengths.map(() => 0);
  let left = total;
  const ascending = lengths.map((_, place) => place).sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0));
  for (const [done, place] of ascending.entries()) {
    const room = Math.min(lengths[place] ?? 0, Math.floor(left / (lengths.length - done)));
    rooms[place] = room;
    left -= room;
  }
  return rooms;
}

/** Returns the beginning and the end of a section, with a line about the gap between them. */
function cutSection(text: string, { from, to }: { from: number; to: number }, maxChars: number): string {
  if (to - from <= maxChars) return text.slice(from, to);
  const room = Math.max(0, maxChars - maxGapChars);
  const share = errorWords.test(text.slice(Math.max(from, to - endExamined), to)) ? headShare.errorAtEnd : headShare.usual;
  const head = from + Math.floor(room * share);
  const tail = to - (room - Math.floor(room * share));
  const headEnd = headBoundary(text, from, head);
  const tailStart = tailBoundary(text, tail, to);
  const breaksLine = headEnd > from && text[headEnd - 1] !== "\n";
  return `${text.slice(from, headEnd)}${breaksLine ? "\n" : ""}${gapLine(text, headEnd, tailStart)}\n${text.slice(tailStart, to)}`;
}

/** Says how much is omitted and where the gap begins in the whole text, with the parameter names of the reading tool. */
function gapLine(text: string, from: number, to: number): string {
  const before = text.slice(0, from);
  const lineStart = before.lastIndexOf("\n") + 1;
  const startLine = countLineEnds(before) + 1;
  const place =
    lineStart === from ? `startLine ${startLine}` : `startLine ${startLine}, startColumn ${charactersIn(before.slice(lineStart)) + 1}`;
  return `[... ${grouped(to - from)} characters left out, from ${place} on ...]`;
}

/** Returns a line end shortly before `place`, else `place`, moved out of a surrogate pair. */
function headBoundary(text: string, from: number, place: number): number {
  const lineEnd = text.lastIndexOf("\n", place - 1) + 1;
  if (lineEnd > from && place - lineEnd <= Math.min(maxSnapChars, (place - from) / 4)) return lineEnd;
  return isInsidePair(text, place) ? place - 1 : place;
}

function tailBoundary(text: string, place: number, to: number): number {
  const lineStart = text.indexOf("\n", Math.max(0, place - 1)) + 1;
  if (lineStart > 0 && lineStart < to && lineStart - place <= Math.min(maxSnapChars, (to - place) / 4)) return lineStart;
  return isInsidePair(text, place) ? place + 1 : place;
}

/** Returns true when a cut at this place would split a surrogate pair. */
function isInsidePair(text: string, place: number): boolean {
  const before = text.charCodeAt(place - 1);
  const after = text.charCodeAt(place);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

function countLineEnds(text: string): number {
  let count = 0;
  for (let found = text.indexOf("\n"); found !== -1; found = text.indexOf("\n", found + 1)) count += 1;
  return count;
}

/** Counts Unicode characters, the unit of columns. */
function charactersIn(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at += 1) if (isInsidePair(text, at)) count -= 1;
  return count;
}

const grouped = (count: number): string => count.toLocaleString("en");
