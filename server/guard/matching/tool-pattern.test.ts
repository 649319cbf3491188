import { expect, test } from "vitest";
import { globFits } from "./glob";
import { toolPatternMistake } from "./tool-pattern";

test.each([
  ["*", "anything", true],
  ["*", "", true],
  ["fs__*", "fs__read", true],
  ["fs__*", "fs_read", false],
  ["*__read", "fs__read", true],
  ["*_*_*", "a_b_c", true],
  ["*_*_*", "a_b", false],
  ["r?ad", "read", true],
  ["r?ad", "rad", false],
  ["a*b*c", "aXbXbXc", true],
  ["a*b*c", "aXbXcX", false],
  ["**", "x", true],
  ["?", "", false],
  ["", "", true],
  ["", "a", false],
  ["a.c", "abc", false],
])("the glob %j on %j: %s", (glob, name, fits) => {
  expect(globFits(glob, name)).toBe(fits);
});

test("a glob made to be slow is not", () => {
  const started = performance.now();
  expect(globFits(`${"*a".repeat(100)}b`, "a".repeat(5_000))).toBe(false);
  expect(performance.now() - started).toBeLessThan(2_000);
});

test.each([
  ["shell_execute", null],
  ["fs__*", null],
  ["source:mcp", null],
  ["effect:destroy", null],
  ["needs:shell", null],
  ["surface:escalate", null],
  ["kind:mcp", 'there is no kind "kind:"; use source:, effect:, surface: or needs:, or a tool\'s name'],
  ["constructor:x", 'there is no kind "constructor:"; use source:, effect:, surface: or needs:, or a tool\'s name'],
  ["effect:delete", '"effect:" takes read, write or destroy'],
  ["source:", '"source:" takes builtin, mcp, acp, channel, skill, http or provider'],
])("the tool pattern %s: %s", (pattern, mistake) => {
  expect(toolPatternMistake(pattern)).toBe(mistake);
});
