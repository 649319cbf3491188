import { readFileSync } from "node:fs";

export type WrittenTest = { title: string; asserts: boolean };

const start = /^( *)(test\.describe|describe|test)\b(?!\.(?:skip|todo|only|fixme)\b)/;
const title = /^ *(?:test|describe)(?:\.\w+)*\(\s*(["`])((?:\\.|(?!\1).)*)\1\s*,|\)\(\s*(["`])((?:\\.|(?!\3).)*)\3\s*,/s;
const assertion = /\bexpect\w*(?:\.\w+)*\(|\bassert\w*(?:\.\w+)*\(/;

/**
 * The tests of a file as they are written, titles of groups in front with " > " between. It relies on the formatter: a block ends
 * at the first line that closes at the column where it began. Skipped tests are left out.
 */
export function readTests(file: string): WrittenTest[] {
  const lines = readFileSync(file, "utf8").split("\n");
  const helpers = assertingHelpers(lines);
  const groups: { column: number; title: string }[] = [];
  return lines.flatMap((line, index) => {
    const begun = start.exec(line);
    if (!begun) return [];
    const column = begun[1]?.length ?? 0;
    const block = blockAt(lines, index, column);
    const [, , plain, , ofTable] = title.exec(block) ?? [];
    const own = (plain ?? ofTable)?.replaceAll('\\"', '"');
    while ((groups.at(-1)?.column ?? -1) >= column) groups.pop();
    if (own === undefined) return [];
    if (begun[2] !== "test") {
      groups.push({ column, title: own });
      return [];
    }
    const calls = [...block.matchAll(/\b(\w+)\(/g)].map(([, name = ""]) => name);
    const asserts = assertion.test(block) || calls.some((name) => helpers.has(name));
    return [{ title: [...groups.map((group) => group.title), own].join(" > "), asserts }];
  });
}

function blockAt(lines: readonly string[], index: number, column: number): string {
  const indent = " ".repeat(column);
  const isEnd = (line: string) => line.startsWith(indent) && /^[})\]`].*;$/.test(line.slice(column));
  if (lines[index]?.endsWith(");")) return lines[index];
  const length = lines.slice(index + 1).findIndex(isEnd);
  return lines.slice(index, length < 0 ? undefined : index + length + 2).join("\n");
}

/** Names of the file's own functions that assert. */
function assertingHelpers(lines: readonly string[]): Set<string> {
  const names = lines.flatMap((line, index) => {
    const [, name] = /^(?:export )?(?:async function|function|const) (\w+)/.exec(line) ?? [];
    return name && assertion.test(blockAt(lines, index, 0)) ? [name] : [];
  });
  return new Set(names);
}
