import { expect, test } from "vitest";
import { csvLine } from "./csv";

test("a line of CSV ends as the standard says, and an absent value is an empty cell", () => {
  expect(csvLine(["a", null, "c"])).toBe("a,,c\r\n");
});

test("commas, quotes and line breaks stay inside their cell", () => {
  expect(csvLine(['say "hi"', "a,b", "two\nlines"])).toBe('"say ""hi""","a,b","two\nlines"\r\n');
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r=1", "＝1+1"])("%j does not run as a formula in a spreadsheet", (cell) => {
  expect(csvLine([cell])).toMatch(/^"?'/);
});

test("an ordinary text is left as it is", () => {
  expect(csvLine(["shell_execute", "2026-01-01T00:00:00.000Z", "a=b"])).toBe("shell_execute,2026-01-01T00:00:00.000Z,a=b\r\n");
});
