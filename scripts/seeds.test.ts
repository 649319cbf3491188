import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readTests } from "./test/read-tests";

const rows = readFileSync("docs/seeds.md", "utf8").match(/^\| (?!row |---).*\|$/gm) ?? [];

/** Each test that a row names: the file in backquotes, then the title in quotes. */
const named = rows.flatMap((row) =>
  [...row.matchAll(/`([^`]+\.(?:test|spec)\.tsx?)`: "((?:[^"\\]|\\.)*)"/g)].map(([, file = "", title = ""]) => ({ row, file, title })),
);

test("every row of docs/seeds.md names a test by its file and title", () => {
  const isNamed = new Set(named.map(({ row }) => row));
  expect(rows.filter((row) => !isNamed.has(row))).toEqual([]);
  expect(rows.length).toBeGreaterThan(220);
});

test("every test that docs/seeds.md names stands in its file and asserts something", () => {
  const files = new Map([...new Set(named.map(({ file }) => file))].map((file) => [file, existsSync(file) ? readTests(file) : []]));
  const faults = named.flatMap(({ file, title }) => {
    const found = files.get(file)?.find((each) => each.title === title);
    if (!found) return [`${file} has no test with the title "${title}"`];
    return found.asserts ? [] : [`"${title}" of ${file} asserts nothing`];
  });
  expect(faults).toEqual([]);
});
