import { expect, test } from "vitest";
import { compilePathTable } from "./path-table";

const leadsTo = (row: string, path: string) => compilePathTable([row])(path.split("/"));

test.each([
  [".envrc", ".envrc", true],
  [".envrc", "a/b/.envrc", true],
  [".envrc", ".envrc/x", false],
  ["a/b", "x/a/b", true],
  ["a/b", "b", false],
  ["a/b", "a/x/b", false],
  ["a/", "a", true],
  ["a/", "x/a/y/z", true],
  ["a/", "xa/y", false],
  ["a/*/b", "a/x/b", true],
  ["a/*/b", "a/b", false],
  ["a/*/b", "a/x/y/b", false],
  ["a/**/b", "a/b", true],
  ["a/**/b", "z/a/x/y/b", true],
  ["a/**/b", "x/b", false],
  ["a/**/b/", "a/x/b/c/d", true],
  ["a/**/b/", "b/a/c", false],
])("%s leads to %s: %s", (row, path, expected) => expect(leadsTo(row, path)).toBe(expected));

test("several rows with one last name are told apart by what stands before it", () => {
  const places = compilePathTable([".git/config", ".ssh/config"]);
  expect(places([".git", "config"]) && places([".ssh", "config"])).toBe(true);
  expect(places([".hg", "config"])).toBe(false);
  expect(places([])).toBe(false);
});
