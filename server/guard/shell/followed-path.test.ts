import { expect, test } from "vitest";
import { followedPath } from "./followed-path";

test.each([
  ["/a/./b/../c", undefined, "/a/c"],
  ["b/../../c", "a", "c"],
  ["../..", "a", ".."],
  ["/etc", "a", "/etc"],
])("%s in %s leads to %s", (written, folder, leads) => {
  expect(followedPath(written, folder)).toBe(leads);
});

test("what is longer than any path is not followed", () => {
  const long = "../".repeat(1_400);
  expect(followedPath(long, "a")).toBe(long);
  const written = (length: number) => "b/..".padEnd(length, "/");
  expect(followedPath(written(4_095), "a")).toBe("a/");
  expect(followedPath(written(4_096), "a")).toBe(written(4_096));
  expect(followedPath(`/${written(4_095)}`, "a")).toBe("/");
});
