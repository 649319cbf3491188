import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("every row of docs/seeds.md names a test that exists", () => {
  const rows = readFileSync("docs/seeds.md", "utf8").match(/^\| .* \| `[^`]+` \|$/gm) ?? [];
  const tests = rows.map((row) => /`([^`]+)` \|$/.exec(row)?.[1] ?? "");
  expect(tests.length).toBeGreaterThan(50);
  expect(tests.filter((file) => !/\.(test|spec)\.tsx?$/.test(file) || !existsSync(file))).toEqual([]);
});
