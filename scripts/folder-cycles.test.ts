import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const importedName = /(?:from|import|import\() ?"((?:@\/|\.)[^"]+)"/g;

/** The first folders in which two paths differ; null when one lies in the folder of the other. */
function siblingsOf(file: string, imported: string): [string, string] | null {
  return firstDifference(path.dirname(file), path.dirname(imported));
}

/** The same, where a file beside a folder counts like one. */
function siblingsOrFilesOf(file: string, imported: string): [string, string] | null {
  return firstDifference(file.replace(/\.tsx?$/, ""), imported);
}

function firstDifference(one: string, another: string): [string, string] | null {
  const own = one.split("/");
  const other = another.split("/");
  const same = own.findIndex((part, index) => part !== other[index]);
  if (same < 1 || other[same] === undefined) return null;
  return [own.slice(0, same + 1).join("/"), other.slice(0, same + 1).join("/")];
}

const besideEachOther = /^server\/guard\/[^/]+ > server\/guard\/[^/]+$/;

/** The imports between folders beside each other, by both folders; types and stylesheets count. */
function folderPairs(room: string, pairOf = siblingsOf): Map<string, string> {
  const files = globSync(`${room}/**/*.{ts,tsx}`, { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file));
  const pairs = new Map<string, string>();
  for (const file of files) {
    for (const [, name = ""] of readFileSync(path.join(root, file), "utf8").matchAll(importedName)) {
      const imported = name.startsWith("@/") ? name.slice(2) : path.join(path.dirname(file), name);
      const pair = pairOf(file, imported);
      if (pair) pairs.set(pair.join(" > "), `${file} imports ${imported}`);
    }
  }
  return pairs;
}

/** Imports between folders that lead back to where they start, over any number of folders. */
function importsInCycles(pairs: Map<string, string>): string[] {
  const imports = [...pairs].map(([pair, where]) => ({ folders: pair.split(" > ") as [string, string], where }));
  const needs = Map.groupBy(imports, ({ folders: [from] }) => from);
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    for (const { folders } of needs.get(from) ?? []) if (!seen.has(folders[1])) reached(folders[1], seen.add(folders[1]));
    return seen;
  };
  return imports.filter(({ folders: [from, to] }) => reached(to).has(from)).map(({ where }) => where);
}

test("no folder of the server imports a folder beside it that imports it back, types included", () => {
  const pairs = folderPairs("server");
  expect(pairs.size).toBeGreaterThan(100);
  const mutual = [...pairs].filter(([pair]) => pairs.has(pair.split(" > ").reverse().join(" > "))).map(([, where]) => where);
  expect(mutual).toEqual([]);
});

test("no room of the components needs a room that needs it, also not over further rooms", () => {
  const pairs = folderPairs("components");
  expect(pairs.size).toBeGreaterThan(70);
  expect(importsInCycles(pairs)).toEqual([]);
});

test.each([
  ["contracts", 40],
  ["db/schema", 1],
  ["server/capabilities", 5],
  ["server/mcp/connect", 20],
  ["server/platform", 1],
  ["server/runs", 5],
  ["server/testing", 5],
  ["server/tools", 5],
  ["server/turns", 20],
])("no room of %s needs a room that needs it", (room, imports) => {
  const pairs = folderPairs(room);
  expect(pairs.size).toBeGreaterThan(imports);
  expect(importsInCycles(pairs)).toEqual([]);
});

test("no folder and no file of the guard needs one beside it that needs it", () => {
  const pairs = new Map([...folderPairs("server/guard", siblingsOrFilesOf)].filter(([pair]) => besideEachOther.test(pair)));
  expect(pairs.size).toBeGreaterThan(50);
  expect(importsInCycles(pairs)).toEqual([]);
});

test("a cycle over three folders is found, and a folder that leads to it is not part of it", () => {
  const pairs = new Map(["a > b", "b > c", "c > a", "d > a"].map((pair) => [pair, pair]));
  expect(importsInCycles(pairs)).toEqual(["a > b", "b > c", "c > a"]);
});
