import { expect, test } from "vitest";
import { inspectJson, placeOfPrototypeKey } from "./json-shape";

const nested = (levels: number) => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

test.each([
  ["a plain value", 1, 0],
  ["an empty object", {}, 1],
  ["an object in an array in an object", { a: [{ b: 1 }] }, 3],
])("%s has its depth", (_title, value, depth) => {
  expect(inspectJson(value).depth).toBe(depth);
});

test("a depth that exhausts a recursive walk is counted", () => {
  expect(inspectJson(nested(200_000)).depth).toBe(200_000);
});

test("a key named __proto__ is found wherever it is, and no other", () => {
  expect(inspectJson(JSON.parse('{"a":[{"__proto__":1}]}')).hasPrototypeKey).toBe(true);
  expect(inspectJson({ constructor: 1, proto: { a: 1 } }).hasPrototypeKey).toBe(false);
});

test("its place is told, and the outermost one first", () => {
  expect(placeOfPrototypeKey(JSON.parse('{"a":[{"b":{"__proto__":1}}],"c":{"__proto__":1}}'))).toEqual(["c", "__proto__"]);
  expect(placeOfPrototypeKey({ a: "__proto__" })).toBeNull();
  expect(placeOfPrototypeKey("__proto__")).toBeNull();
});
