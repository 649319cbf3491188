import { expect, test } from "vitest";
import { changedArguments } from "./changed-arguments";

test("arguments that hooks changed, added and removed are named by their place, and others are not", () => {
  expect(
    changedArguments(
      { path: "a", old: 1, options: { deep: true, depth: 1 } },
      { path: "a", tenant: "acme", options: { deep: true, depth: 2 } },
    ),
  ).toEqual([
    { path: "/old", before: 1 },
    { path: "/options/depth", before: 1, after: 2 },
    { path: "/tenant", after: "acme" },
  ]);
});

test("a list is one change, and null is a value", () => {
  expect(changedArguments({ list: [1, 2], none: null }, { list: [1], none: 0 })).toEqual([
    { path: "/list", before: [1, 2], after: [1] },
    { path: "/none", before: null, after: 0 },
  ]);
});

test("names with slashes, tildes and those that every object has are places like others", () => {
  expect(changedArguments({ "a/b~c": 1 }, { "a/b~c": 2, constructor: "x" })).toEqual([
    { path: "/a~1b~0c", before: 1, after: 2 },
    { path: "/constructor", after: "x" },
  ]);
});
