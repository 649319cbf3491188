import { expect, test } from "vitest";
import { readTool } from "@/server/testing/guard/guarded-calls";
import { globFits, withoutBrackets } from "../paths/glob";
import { compileToolPattern, namesOneTool, toolPatternMistake } from "./tool-pattern";

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
  ["*read", "read", true],
  ["a*a", "aa", true],
  ["**", "x", true],
  ["?", "", false],
  ["", "", true],
  ["", "a", false],
  ["a.c", "abc", false],
])("the glob %j on %j: %s", (glob, name, fits) => expect(globFits(glob, name)).toBe(fits));

test("a glob made to be slow is not", () => {
  expect(globFits(`${"*a".repeat(100)}b`, "a".repeat(5_000))).toBe(false);
});

test.each([
  ["etc", "etc"],
  ["[e]tc", "?tc"],
  ["e[a-z]c[!x]", "e?c?"],
  ["[[:alpha:]]tc", "?tc"],
  ["[^[:alpha:]a]tc", "?tc"],
  ["[[=e=]]tc", "?tc"],
  ["[[.e.]]tc", "?tc"],
  ["[]e]tc", "?tc"],
  ["[!]e]tc", "?tc"],
  ["[^]e]tc", "?tc"],
  ["[[:e]tc", "?tc"],
  ["[[]tc", "?tc"],
  ["[e", "[e"],
  ["[a]b[c", "?b[c"],
  ["x![a]y", "x!?y"],
  ["[x[y[:a:]z]t", "?t"],
  ["[]", "[]"],
  ["[!]", "[!]"],
  ["", ""],
])("the brackets of %j each stand for one character: %j", (glob, wide) => expect(withoutBrackets(glob)).toBe(wide));

test("a glob of brackets is read in time that grows with it", () => {
  for (const glob of ["[", "[:", "[a[:b]", "[[:alpha:]]", "[[:"]) {
    expect(withoutBrackets(glob.repeat(64_000 / glob.length)).length).toBeGreaterThan(0);
  }
});

test.each([
  ["read_file", "read_file", true],
  ["read_file", "read_files", false],
  ["read_*", "read_file", true],
  ["source:builtin", "read_file", true],
  ["source:mcp", "read_file", false],
  ["effect:read", "read_file", true],
  ["effect:write", "read_file", false],
  ["surface:natural", "read_file", true],
  ["surface:escalate", "read_file", false],
  ["needs:files", "read_file", true],
  ["needs:shell", "read_file", false],
  ["constructor:name", "read_file", false],
  ["kind:read_file", "read_file", false],
  [":read_file", "read_file", false],
])("the pattern %s covers a tool that is called %s: %s", (pattern, name, covers) => {
  expect(compileToolPattern(pattern)({ ...readTool, name })).toBe(covers);
});

test.each([
  ["read_file", true],
  ["read_*", false],
  ["read?file", false],
  ["source:mcp", false],
])("%s names one tool: %s", (pattern, one) => expect(namesOneTool(pattern)).toBe(one));

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
  [":shell", 'there is no kind ":"; use source:, effect:, surface: or needs:, or a tool\'s name'],
  ["source:", '"source:" takes client, builtin, provider, acp, channel, skill, http, mcp or agent'],
])("the tool pattern %s: %s", (pattern, mistake) => expect(toolPatternMistake(pattern)).toBe(mistake));
