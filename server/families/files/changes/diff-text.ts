import { diffLines, foldUnchanged } from "@/contracts/lib/diff-lines";

const signs = { same: " ", removed: "-", added: "+" } as const;
const maxLines = 1_000;

/** Returns the changed lines of two texts with a few lines around them, as unified diffs show them. */
export function diffText(before: string, after: string): string {
  const lines = diffLines(before, after);
  if (lines.every(({ kind }) => kind === "same")) return "(no line differs)";
  const shown = foldUnchanged(lines).flatMap((chunk) =>
    chunk.kind === "hidden"
      ? [`@@ ${chunk.count} unchanged ${chunk.count === 1 ? "line" : "lines"}`]
      : chunk.lines.map(({ kind, text }) => signs[kind] + text),
  );
  const rest = shown.length - maxLines;
  return [...shown.slice(0, maxLines), ...(rest > 0 ? [`(${rest} more lines)`] : [])].join("\n");
}
