import { AppError } from "@/server/platform/errors";
import { applyEdit, hintFor } from "./edit-text";
import { type MatchStrategy, reindent, SearchedLines } from "./find-lines";

type Replacement = { oldText?: string | undefined; newText?: string | undefined; replaceAll: boolean };

/**
 * Replaces a text: exactly where it occurs, else whole lines by the strictest strategy that finds them.
 * @throws AppError `not_found` or `conflict` with what to send instead
 */
export function replaceText(
  path: string,
  before: string,
  { oldText = "", newText = "", replaceAll }: Replacement,
): { after: string; count: number; strategy: MatchStrategy; reindented: string[] } {
  if (oldText === newText) throw new AppError("invalid", "oldText and newText are the same, so nothing would change.");
  const bytes = Buffer.from(before);
  const exact = applyEdit(bytes, { oldText, newText });
  const several = (count: number) =>
    new AppError(
      "conflict",
      `oldText occurs ${count} times in ${path}. Send more of the text around it so that it occurs once, or replaceAll: true.`,
    );
  if (exact.count > 1 && !replaceAll) throw several(exact.count);
  if (exact.count > 0) return { after: Buffer.from(exact.after).toString("utf8"), count: exact.count, strategy: "exact", reindented: [] };

  const lines = before.split("\n");
  const sent = linesOf(oldText);
  const { strategy, places: found } = new SearchedLines(lines.map((line) => line.replace(/\r$/, ""))).find(sent);
  const places = found.filter((place, index) => index === 0 || place >= (found[index - 1] ?? 0) + sent.length);
  const [first] = places;
  if (first === undefined) throw new AppError("not_found", `oldText does not occur in ${path}. ${hintFor(bytes, oldText)}`);
  if (found.length > 1 && !replaceAll) throw several(found.length);
  const after: string[] = [];
  const reindented: string[] = [];
  let cursor = 0;
  for (const place of places) {
    const old = lines.slice(place, place + sent.length);
    const indented = strategy === "trailing_space" ? (line: string) => line : reindent(sent, old);
    const ending = old[0]?.endsWith("\r") ? "\r" : "";
    const isLast = place + sent.length === lines.length;
    const asked = newText === "" ? [] : linesOf(newText);
    const added = asked.map(indented);
    reindented.push(...added.filter((line, index) => line !== asked[index]));
    after.push(...lines.slice(cursor, place), ...added.map((line, index) => (isLast && index === added.length - 1 ? line : line + ending)));
    cursor = place + sent.length;
  }
  after.push(...lines.slice(cursor));
  return { after: after.join("\n"), count: places.length, strategy, reindented };
}

/** Returns the lines of a sent text; a line break at its end begins no further line. */
function linesOf(text: string): string[] {
  return text
    .replace(/\r?\n$/, "")
    .split("\n")
    .map((line) => line.replace(/\r$/, ""));
}
