import { expect, test } from "vitest";
import { unknownValue } from "./resolve-word";
import { commandsOfXargs, scriptsOfParallel } from "./run-on-each";

test.each<[options: string[], commands: string[][]]>([
  [
    ["-a", "x y"],
    [["ls"], ["ls", "x", "y"]],
  ],
  [["-ax"], [["ls"], ["ls", "x"]]],
  [["--arg-file=x"], [["ls"], ["ls", "x"]]],
  [["-a", " "], [["ls"]]],
])("xargs with %j reads a file, of which the text may be known", (options, commands) => {
  expect(commandsOfXargs(options, ["ls"], "unread")).toEqual(commands);
});

test.each<[options: string[], command: string[], scripts: string[]]>([
  [["-a", "x\ny"], [], [unknownValue, "x", "y"]],
  [["-a", "x"], ["ls"], ["ls", "ls x"]],
  [[], ["::::", "x\ny"], [unknownValue, "x", "y"]],
  [[], ["{}", "::::", "x"], [unknownValue, "x"]],
  [[], ["ls", "::::", "x"], ["ls", "ls x"]],
  [[], ["{1}{2}", ":::", "a", "b", ":::", "c", "d"], ["ac", "ad", "bc", "bd"]],
])("parallel with %j and %j runs %j", (options, command, scripts) => {
  expect(scriptsOfParallel(options, command, null).map((script) => script.trim())).toEqual(scripts);
});

test("of very many values, parallel's go together by their places", () => {
  const values = Array.from({ length: 7 }, (_, at) => String(at));
  expect(scriptsOfParallel([], ["{1}{2}", ":::", ...values, ":::", ...values], null)).toEqual(values.map((value) => value + value));
});
