import { expect, test } from "vitest";
import { partsOf, placeIn, pointerTo, valueAt } from "./json-pointer";

const document = { items: [{ path: "a" }, { path: "b" }], "x/y": { "m~n": 1 }, length: 7 };

test.each([
  ["", document],
  ["/items/1/path", "b"],
  ["/x~1y/m~0n", 1],
  ["/length", 7],
])("the JSON pointer %j names a value", (pointer, value) => expect(valueAt(document, pointer)).toEqual(value));

test.each(["/constructor", "/items/length", "/items/-", "/items/01", "/items/2", "/length/toString"])(
  "the JSON pointer %j names nothing, because only own members and elements count",
  (pointer) => expect(valueAt(document, pointer)).toBeUndefined(),
);

test("segments are escaped and unescaped alike", () => {
  const names = ["a/b", "~1", "~", ""];
  expect(partsOf(names.reduce<string>(pointerTo, ""))).toEqual(names);
});

test("a list takes the index behind its last element, and no other segment", () => {
  expect(["0", "2", "3", "-1", "01", "x"].map((part) => placeIn([1, 2], part))).toEqual([0, 2, null, null, null, null]);
});
