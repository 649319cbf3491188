/** Reads a text as a list of examples, as they are written: a `¦` or the end of a line stands between two of them. */
export const examples = ({ raw }: TemplateStringsArray): string[] =>
  raw
    .join("")
    .split(/ ¦ |\n/)
    .flatMap((example) => example.trim() || []);

/** Returns each example of these lists, with the name of its list before it. */
export const examplesByName = (lists: Readonly<Record<string, readonly string[]>>): [name: string, example: string][] =>
  Object.entries(lists).flatMap(([name, list]) => list.map((example): [string, string] => [name, example]));

/** Reads a text as a list of words. */
export const words = ({ raw }: TemplateStringsArray): string[] => raw.join("").trim().split(/\s+/);
