import { expect, test } from "vitest";
import { builtinTools } from "..";
import { PathArgument } from "./path-argument";

test.each([
  ["drafts/../secrets.txt", "secrets.txt"],
  ["./a//b/./c.txt", "a/b/c.txt"],
  ["../up.txt", "../up.txt"],
  [".", "."],
])("a rule sees %s as %s", (given, seen) => {
  expect(PathArgument.parse(given)).toBe(seen);
});

test("every file tool shows its path to the rules in its shortest spelling", () => {
  const tools = builtinTools.filter(({ family }) => family === "files");
  const args = { path: "drafts/../x", content: "", oldText: "a", newText: "b", query: "q" };
  expect(tools.map((tool) => tool.parse(args))).toEqual(tools.map(() => ({ ok: true, value: expect.objectContaining({ path: "x" }) })));
  expect(tools.length).toBe(4);
});
