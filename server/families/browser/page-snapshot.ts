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

/** Returns the whole page when it is short, else the lines that are new since the last result. */
export function shortView(session: BrowserSession, snapshot: string, shortChars = defaultShortChars): string {
  const lines = snapshot.split("\n");
  const known = session.shown;
  session.shown = new Set(lines);
  if (snapshot.length <= shortChars) return snapshot;
  const changed = lines.filter((line) => !known.has(line));
  if (changed.length === 0) return "[The page shows the same as before. action=snapshot shows it.]";
  const isPart = known.size > 0 && changed.length < lines.length;
  const text = (isPart ? changed : lines).join("\n");
  const head = isPart ? "[New or changed lines; action=snapshot shows the whole page]\n" : "";
  if (text.length <= shortChars) return `${head}${text}`;
  return `${head}${text.slice(0, text.lastIndexOf("\n", shortChars) + 1 || shortChars).toWellFormed()}[cut: action=snapshot shows the whole page]`;
}
