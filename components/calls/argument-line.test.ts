import { expect, test } from "vitest";
import { argumentLine } from "./argument-line";

test("the primary argument stands for the call; without one, all arguments do", () => {
  expect(argumentLine({ command: "ls -la", timeoutSeconds: 5 }, "command")).toBe("ls -la");
  expect(argumentLine({ path: "a", lines: 2 }, "command")).toBe('{"path":"a","lines":2}');
  expect(argumentLine({}, null)).toBe("{}");
  expect(argumentLine("{not json", "command")).toBe("{not json");
});

test("a line stays a line", () => {
  expect(argumentLine({ command: "ls\n  pwd\n" }, "command")).toBe("ls ⏎ pwd");
  expect(argumentLine({ command: "a".repeat(500) }, "command")).toHaveLength(300);
});
