import { stripVTControlCharacters } from "node:util";

/**
 * Returns output as a model reads it: without colours and other control sequences. Of a line that a terminal drew over,
 * as progress bars do, the last state stays.
 */
export function readableText(text: string, isTerminal: boolean): string {
  const plain = text.includes("\u001B") || text.includes("\u009B") ? stripVTControlCharacters(text) : text;
  if (!isTerminal || !plain.includes("\r")) return plain;
  return plain
    .split("\n")
    .map((line) => {
      let end = line.length;
      while (line[end - 1] === "\r") end -= 1;
      return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
    })
    .join("\n");
}
