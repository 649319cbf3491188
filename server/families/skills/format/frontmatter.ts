import { isNode, LineCounter, parseDocument } from "yaml";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { AppError } from "@/server/platform/errors";

/** SKILL.md in its two parts. `bodyLine` is the line on which the body begins, from 1. */
export type SkillText = { fields: Readonly<Record<string, unknown>>; body: string; bodyLine: number; lineOf: (key: string) => number };

const maxFrontmatter = 60_000;

/**
 * Reads SKILL.md: YAML between two lines `---`, then Markdown.
 * @throws AppError `invalid` with the line of a mistake
 */
export function readSkillText(text: string): SkillText {
  const source = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const opened = /^---[ \t]*\n/.exec(source);
  if (!opened) {
    throw new AppError(
      "invalid",
      "SKILL.md does not begin with frontmatter. Begin it with a line ---, then name and description, then a line ---.",
    );
  }
  const rest = source.slice(opened[0].length);
  const closed = /^---[ \t]*(?:\n|$)/m.exec(rest);
  if (!closed) throw new AppError("invalid", "The frontmatter of SKILL.md does not end. Close it with a line --- of its own.");
  const yaml = rest.slice(0, closed.index);
  if (yaml.length > maxFrontmatter)
    throw new AppError("invalid", "The frontmatter of SKILL.md has more than 60,000 characters. Move text to the body.");
  const lines = new LineCounter();
  const document = parseDocument(quoteLooseTexts(yaml), { lineCounter: lines, schema: "core", uniqueKeys: true });
  const [mistake] = document.errors;
  if (mistake) {
    const line = (mistake.linePos?.[0].line ?? 1) + 1;
    throw new AppError(
      "invalid",
      `SKILL.md, line ${line}: the frontmatter is no YAML (${mistake.message.split("\n")[0]}). Quote texts that hold a colon.`,
    );
  }
  // Aliases may refer to each other without end.
  const fields: unknown = document.toJS({ maxAliasCount: 20 });
  if (!isJsonObject(fields)) throw new AppError("invalid", "The frontmatter of SKILL.md has no fields. It needs name and description.");
  const body = rest.slice(closed.index + closed[0].length);
  const lineOf = (key: string): number => {
    const node = document.get(key, true);
    return isNode(node) && node.range ? lines.linePos(node.range[0]).line + 1 : 1;
  };
  return { fields, body, bodyLine: yaml.split("\n").length + 2, lineOf };
}

/** Packages in the wild write `description: Use this: when …` without quotes, which other readers take as one text. */
function quoteLooseTexts(yaml: string): string {
  return yaml.replace(
    /^(description|title|compatibility):[ \t]+(?!["'|>[{&*!])(.*: .*)$/gm,
    (_line, key: string, value: string) => `${key}: ${JSON.stringify(value.trim())}`,
  );
}
