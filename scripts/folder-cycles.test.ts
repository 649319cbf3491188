import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const importedName = /(?:from|import\() ?"((?:@\/|\.)[^"]+)"/g;

/** The first folders in which two paths differ; null when one lies in the folder of the other. */
function siblingsOf(file: string, imported: string): [string, string] | null {
  const own = path.dirname(file).split("/");
  const other = path.dirname(imported).split("/");
  const same = own.findIndex((part, index) => part !== other[index]);
  if (same < 1 || other[same] === undefined) return null;
  return [own.slice(0, same + 1).join("/"), other.slice(0, same + 1).join("/")];
}

function folderPairs(): Map<string, string> {
  const files = globSync("server/**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
  const pairs = new Map<string, string>();
  for (const file of files) {
    for (const [, name = ""] of readFileSync(path.join(root, file), "utf8").matchAll(importedName)) {
      const imported = name.startsWith("@/") ? name.slice(2) : path.join(path.dirname(file), name);
      const pair = siblingsOf(file, imported);
      if (pair) pairs.set(pair.join(" > "), `${file} imports ${imported}`);
    }
  }
  return pairs;
}

test("no folder of the server imports a folder beside it that imports it back, types included", () => {
  const pairs = folderPairs();
  expect(pairs.size).toBeGreaterThan(100);
  const mutual = [...pairs].filter(([pair]) => pairs.has(pair.split(" > ").reverse().join(" > "))).map(([, where]) => where);
  expect(mutual).toEqual([]);
});
