import { expect, test } from "vitest";
import { effectLines } from "./effect-lines";
import { makeEffect } from "./make-effect";

test("destroying effects stand first, and the guard's order holds among equals", () => {
  const effects = [
    makeEffect({ kind: "read", path: "a" }),
    makeEffect({ kind: "connect", where: "outside", host: "one.example" }),
    makeEffect({ kind: "read", path: "b" }),
    makeEffect({ kind: "connect", where: "outside", host: "two.example" }),
    makeEffect({ kind: "delete", path: "src", recursive: true }),
  ];
  expect(effectLines(effects).map(({ text }) => text)).toEqual([
    "Deletes src and everything in it",
    "Connects to one.example",
    "Connects to two.example",
    "Reads a",
    "Reads b",
  ]);
});

test("an effect that a command has twice is one line", () => {
  const twice = [0, 9].map((start) => makeEffect({ kind: "read", path: "a", evidence: { argument: "/command", start, end: start + 3 } }));
  expect(effectLines(twice)).toHaveLength(1);
});
