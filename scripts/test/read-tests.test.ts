import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readTests } from "./read-tests";

const written = `
const check = (value) => {
  expect(value).toBe(1);
};

describe("a group", () => {
  test("asserts", () => {
    expect(1).toBe(1);
  });

  test.each([
    ["one", 1],
    ["two", 2],
  ])("of a table %s", (_name, value) => {
    check(value);
  });

  test.skip("is skipped", () => {
    expect(1).toBe(2);
  });
});

test.describe("a journey", () => {
  test("clicks", async () => {
    await expect(page).toHaveURL("/");
  });
});

test("does nothing", () => {
  read();
});

test("has a \\"quoted\\" word", () => expect(1).toBe(1));

test.each(words\`
  one two
\`)("of a list of words %s", (word) => expect(word).toBe("one"));

test("behind the list", () => {});
`;

test("tests are read with the titles of their groups, and whether they assert", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "read-tests-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "written.ts");
  writeFileSync(file, written);
  expect(readTests(file)).toEqual([
    { title: "a group > asserts", asserts: true },
    { title: "a group > of a table %s", asserts: true },
    { title: "a journey > clicks", asserts: true },
    { title: "does nothing", asserts: false },
    { title: 'has a "quoted" word', asserts: true },
    { title: "of a list of words %s", asserts: true },
    { title: "behind the list", asserts: false },
  ]);
});
