import { expect, test } from "vitest";
import { compileSensitivePaths } from "./sensitive-globs";

const fitting = (glob: string, path: string) => compileSensitivePaths([glob]).fitting(path);

test.each([
  ["plans", "plans"],
  ["plans", "plans/2027.md"],
  ["plans", "a/b/plans/c/d"],
  ["plans", "./plans//2027.md"],
  ["plans", "a/./plans"],
  ["plans", "a\\plans\\x"],
  ["plans", "Plans"],
  ["PLANS", "plans"],
  ["plans/**", "plans"],
  ["plans/*", "plans"],
  ["plans/*/*", "plans/a"],
  ["plans/*/*", "plans"],
  ["plans/**/", "plans/a/b"],
  ["*.bak", "a/db.bak"],
  ["db.b?k", "db.bak"],
  ["a/**/b", "a/b"],
  ["a/**/b", "x/a/1/2/b/c"],
  ["a/**/b/*/c", "a/b/b/1/c"],
  ["/srv/shared", "/srv/shared/a"],
  ["/srv/shared", "/srv//./shared"],
  ["/srv/*/keys", "/srv/a/keys"],
  ["~/notes", "~/notes/a"],
])("%s fits %s", (glob, path) => expect(fitting(glob, path)).toBe(glob));

test.each([
  ["plans", "planning"],
  ["plans", "a/plan"],
  ["plans/2027", "plans"],
  ["plans/*/keys", "plans/keys"],
  ["*.bak", "db.bak.txt"],
  ["a/**/b", "ab"],
  ["a/**/b", "a/1/2"],
  ["a/**/b", "b/a"],
  ["a*b", "a/b"],
  ["/srv/shared", "srv/shared"],
  ["/srv/shared", "a/srv/shared"],
  ["/srv/shared", "a~/srv/shared"],
  ["/srv/shared", "/x/srv/shared"],
  ["/srv/shared", "~/srv/shared"],
  ["~/notes", "notes/a"],
])("%s does not fit %s", (glob, path) => expect(fitting(glob, path)).toBeNull());

test("the first glob that fits is named, and without any none is", () => {
  const paths = compileSensitivePaths(["plans", "a/plans", "*.bak"]);
  expect(paths.fitting("a/plans/x.bak")).toBe("plans");
  expect(paths.isEmpty).toBe(false);
  expect(compileSensitivePaths([]).fitting("plans")).toBeNull();
  expect(compileSensitivePaths([]).isEmpty).toBe(true);
});
