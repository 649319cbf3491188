import { expect, test } from "vitest";
import { numberedName, safeFileName } from "./file-names";

test.each([
  ["report.csv", "report.csv"],
  ["Bericht für Mai.pdf", "Bericht für Mai.pdf"],
  ["../../etc/passwd", "passwd"],
  ["C:\\Users\\me\\a.txt", "a.txt"],
  [".bashrc", "bashrc"],
  ["..", "file"],
  ["", "file"],
  ["-rf", "rf"],
  ["a`$(id)`;b\n.txt", "a__(id)__b_.txt"],
  ["a\u202Egnp.exe", "a_gnp.exe"],
  ["photo.", "photo"],
])("a file sent as %j is stored as %j", (given, stored) => {
  expect(safeFileName(given)).toBe(stored);
});

test("a long name keeps its suffix and fits the file system", () => {
  const name = safeFileName(`${"ü".repeat(400)}.jpeg`);
  expect(name).toMatch(/^ü+\.jpeg$/);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(120);
});

test("a taken name gets a number before its suffix", () => {
  expect([1, 2].map((number) => numberedName("a.tar", number))).toEqual(["a.tar", "a (2).tar"]);
  expect(numberedName("no suffix", 3)).toBe("no suffix (3)");
});
