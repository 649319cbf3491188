import { expect, test } from "vitest";
import { canonicalJson } from "./canonical-json";

test("equal values are equal bytes, in whatever order their members were written", () => {
  const written = { b: [1, { d: null, c: "x" }], a: { f: true, e: 1.5 }, "10": 0, "9": 0 };
  const otherwise = { "9": 0, "10": 0, a: { e: 1.5, f: true }, b: [1, { c: "x", d: null }] };
  expect(canonicalJson(written)).toBe(canonicalJson(otherwise));
  expect(canonicalJson(otherwise)).toBe('{"9":0,"10":0,"a":{"e":1.5,"f":true},"b":[1,{"c":"x","d":null}]}');
});

test("a member that is called __proto__ is a member like any other", () => {
  expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"z":1,"y":2}}'))).toBe('{"__proto__":{"y":2,"z":1},"b":1}');
});

test("members that are undefined are left out, and lists keep their order", () => {
  expect(canonicalJson({ b: undefined, a: [3, 1, 2] })).toBe('{"a":[3,1,2]}');
});
