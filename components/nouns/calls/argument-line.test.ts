import { expect, test } from "vitest";
import { argumentLine } from "./argument-line";

test("the primary argument stands for the call; without one, all arguments do", () => {
  expect(argumentLine({ command: "ls -la", timeoutSeconds: 5 }, "command")).toBe("ls -la");
  expect(argumentLine({ path: "a", lines: 2 }, "command")).toBe('{"path":"a","lines":2}');
  expect(argumentLine("{not json", "command")).toBe("{not json");
});

test("a call without arguments, or with an empty one, still has a line to click on", () => {
  expect(argumentLine({}, "timezone")).toBe("No arguments");
  expect(argumentLine({ timezone: " " }, "timezone")).toBe('{"timezone":" "}');
  expect(argumentLine("", null)).toBe('""');
});

test("a line stays a line", () => {
  expect(argumentLine({ command: "ls\n  pwd\n" }, "command")).toBe("ls ⏎ pwd");
  expect(argumentLine({ command: "a".repeat(500) }, "command")).toHaveLength(300);
});
