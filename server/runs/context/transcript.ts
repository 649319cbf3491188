import { builtinTools } from "@/server/tools/builtin-tools";
import { nameIndex } from "@/server/tools/resolve-name";
import type { HistoryMessage } from "./history";

/** Most characters of one message in a transcript, its beginning and its end. */
const maxOfOne = 4_000;
/** Most characters of results that stay word for word. */
const maxPinned = 40_000;

/** Writes messages as a text for the model that summarises them; the middle is left out of what is too long. */
export function toTranscript(messages: readonly HistoryMessage[], maxChars: number): string {
  const lines = messages.map((message) => shortened(lineOf(message), maxOfOne));
  return shortened(lines.join("\n\n"), maxChars);
}

function lineOf({ role, content }: HistoryMessage): string {
  const calls = (content.toolCalls ?? []).map(({ name, arguments: args }) => `calls ${name} ${args}`);
  const who =
    role === "tool"
      ? `Result of ${content.name ?? "a tool"}${content.isError ? " (failed)" : ""}`
      : role === "user"
        ? "User"
        : role === "assistant"
          ? "You"
          : "Note";
  return `${who}: ${[content.text, ...calls].filter((text) => text !== "").join("\n")}`;
}

/** Keeps the beginning and the end of a text, and says how much is missing between them. */
export function shortened(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const half = Math.floor(maxChars / 2);
  const missing = text.length - 2 * half;
  return `${text.slice(0, half).toWellFormed()}\n[… ${missing} characters left out …]\n${text.slice(text.length - half).toWellFormed()}`;
}

/** Results of tools that are pinned, word for word; of equal calls the latest. */
export function pinnedResults(messages: readonly HistoryMessage[]): string[] {
  const findPinned = nameIndex(builtinTools().filter(({ pinsResults }) => pinsResults));
  const calls = new Map(messages.flatMap(({ content }) => (content.toolCalls ?? []).map((call) => [call.id, call] as const)));
  const pinned = new Map<string, string>();
  for (const { role, content } of messages) {
    if (role !== "tool" || content.isError || !findPinned(content.name ?? "")) continue;
    const what = `${content.name} ${calls.get(content.callId ?? "")?.arguments ?? ""}`;
    pinned.delete(what);
    pinned.set(what, `Result of ${what}:\n${content.text}`);
  }
  return [...pinned.values()];
}

/** Keeps the latest of pinned results, as far as there is room; of equal ones the latest. */
export function withinRoom(pinned: readonly string[]): string[] {
  let room = maxPinned;
  const latestFirst = [...new Set(pinned.toReversed())].filter((text) => {
    room -= text.length;
    return room >= 0;
  });
  return latestFirst.toReversed();
}
