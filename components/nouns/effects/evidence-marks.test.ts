import { expect, test } from "vitest";
import { evidenceMarks } from "./evidence-marks";
import { makeEffect } from "./make-effect";

const command = "rm -rf dist && curl https://a.example/x";
const removes = makeEffect({ kind: "delete", path: "dist", recursive: true, evidence: { argument: "/command", start: 0, end: 11 } });
const connects = makeEffect({
  kind: "connect",
  where: "outside",
  host: "a.example",
  evidence: { argument: "/command", start: 15, end: 39 },
});
const reading = (argument: string, start: number, end: number) =>
  makeEffect({ kind: "read", path: "a", evidence: { argument, start, end } });

test("the words of each effect are marked, the most serious effect first", () => {
  expect(evidenceMarks("command", command, [connects, removes])).toEqual([
    { start: 0, end: 11, note: "Deletes dist and everything in it", tone: "deny" },
    { start: 15, end: 39, note: "Connects to a.example", tone: "ask" },
  ]);
});

test("effects of another argument mark nothing, and a pointer's escapes are read", () => {
  expect(evidenceMarks("path", command, [removes])).toEqual([]);
  expect(evidenceMarks("a/b~c", "text", [reading("/a~1b~0c", 0, 4)])).toHaveLength(1);
});

test("a text with a masked secret is not marked, because its offsets are others", () => {
  const masked = "curl -H 'token: ab***yz' a.example";
  expect(evidenceMarks("command", masked, [reading("/command", 0, 4)])).toEqual([]);
});

test.each([
  ["beyond the text", 30, 40],
  ["before the text", -1, 3],
  ["empty", 3, 3],
  ["backwards", 5, 2],
])("a span that is %s marks nothing", (_name, start, end) => {
  expect(evidenceMarks("command", command, [reading("/command", start, end)])).toEqual([]);
});

test("a span that cuts a character in two marks nothing", () => {
  expect(evidenceMarks("command", "ls 😀", [reading("/command", 3, 4)])).toEqual([]);
  expect(evidenceMarks("command", "ls 😀", [reading("/command", 3, 5)])).toHaveLength(1);
});
