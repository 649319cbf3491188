import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("every row of docs/seeds.md names tests that exist", () => {
  const rows = readFileSync("docs/seeds.md", "utf8").match(/^\| .* \| [^|]*`[^`|]+` \|$/gm) ?? [];
  const tests = rows.flatMap((row) => [...(row.split("|").at(-2) ?? "").matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file));
  expect(rows.length).toBeGreaterThan(120);
  expect(tests.filter((file) => !/\.(test|spec)\.tsx?$/.test(file) || !existsSync(file))).toEqual([]);
});
