/** Characters that are read for a preview, because the rest would be cut anyway. */
const maxRead = 2_000;

/** A fenced block, or a code span of one line; code keeps its asterisks and underscores. */
const code = /^[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)(?:\n[ \t]*\1[^\n]*$|$(?![\s\S]))|(`+)([^`\n]+)\3/gm;

/**
 * Returns Markdown as one plain line for a list: without fences, headings, emphasis and link targets. The full text is
 * drawn as Markdown on its own page. Underscores stay, because most of them belong to names (`read_file`).
 */
export function plainPreview(markdown: string, maxLength = Number.POSITIVE_INFINITY): string {
  const text = markdown.slice(0, maxRead);
  const parts: string[] = [];
  let end = 0;
  for (const found of text.matchAll(code)) {
    parts.push(withoutMarks(text.slice(end, found.index)), found[2] ?? found[4] ?? "");
    end = found.index + found[0].length;
  }
  parts.push(withoutMarks(text.slice(end)));
  // Only plain white space is folded, because hidden characters must reach the view that spells them out.
  return parts
    .join("")
    .replace(/[ \t\r\n]+/g, " ")
    .replace(/^ | $/g, "")
    .slice(0, maxLength);
}

function withoutMarks(text: string): string {
  return text
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[*+][ \t]+|(?:[-*_][ \t]*){3,}$)/gm, "")
    .replace(/!?\[([^\]\n]*)\]\([^()\s]*\)/g, "$1")
    .replace(/(\*{1,3}|~~)(?=\S)([^*~\n]*[^*~\s])\1(?!\w)/g, "$2");
}
