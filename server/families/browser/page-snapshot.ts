import "server-only";
import type { BrowserSession } from "./browser-session";

export const pageChars = 20_000;
const defaultShortChars = 4_000;

/** Returns the page as lines of its accessibility tree, with references `[@e5]`. */
export async function readSnapshot({ page }: BrowserSession, signal: AbortSignal, timeout: number): Promise<string> {
  const text = await page.ariaSnapshot({ mode: "ai", timeout, signal });
  return text.replaceAll(/\[ref=((?:f\d+)?e\d+)\]/g, "[@$1]");
}

/** Cuts a text to one page of at most 20,000 characters, at a line's end, with a sentence about the rest. */
export function cutPage(text: string, offset: number): string {
  if (offset > 0 && offset >= text.length) return `There is nothing from character ${offset} on; there are ${text.length}.`;
  const rest = text.slice(offset);
  if (rest.length <= pageChars) return rest.toWellFormed();
  const lineEnd = rest.lastIndexOf("\n", pageChars);
  const end = lineEnd > pageChars / 2 ? lineEnd + 1 : pageChars;
  return `${rest.slice(0, end).toWellFormed()}\n[cut: send offset ${offset + end} for the rest of ${text.length} characters]`;
}

/** Remembers which lines of a snapshot a result shows. */
export function rememberLines(session: BrowserSession, lines: readonly string[], shown: ReadonlySet<string>): void {
  const { shown: before } = session.known;
  session.known = { all: new Set(lines), shown: new Set(lines.filter((line) => before.has(line) || shown.has(line))) };
}

/**
 * Returns the whole page when it is short, else the lines that are new since the last result. `withUnread` adds lines that no
 * result has shown yet, as far as there is room for them, so that a long page is read by scrolling.
 */
export function shortView(session: BrowserSession, snapshot: string, { shortChars = defaultShortChars, withUnread = false } = {}): string {
  const lines = snapshot.split("\n");
  const { all, shown } = session.known;
  if (snapshot.length <= shortChars) {
    rememberLines(session, lines, new Set(lines));
    return snapshot;
  }
  const changed = lines.filter((line) => !all.has(line));
  const wanted = new Set(withUnread ? [...changed, ...lines.filter((line) => !shown.has(line))] : changed);
  const picked = new Set<string>();
  let left = shortChars;
  for (const line of wanted) {
    left -= line.length + 1;
    if (left < 0) break;
    picked.add(line);
  }
  rememberLines(session, lines, picked);
  const [first] = wanted;
  if (first === undefined) return "[The page shows the same as before. action=snapshot shows it.]";
  const head = all.size > 0 && wanted.size < lines.length ? "[New or changed lines; action=snapshot shows the whole page]\n" : "";
  const text = picked.size === 0 ? first.slice(0, shortChars).toWellFormed() : lines.filter((line) => picked.has(line)).join("\n");
  return `${head}${text}${picked.size < wanted.size ? `\n${cutNote(withUnread)}` : ""}`;
}

const cutNote = (withUnread: boolean): string =>
  withUnread ? "[cut: the next scroll shows more, action=snapshot the whole page]" : "[cut: action=snapshot shows the whole page]";
