import { expect, test } from "vitest";
import { builtinTools } from "@/server/testing/builtin-tools";
import type { AnyTool } from "@/server/tools/define-tool";
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
  const tools = builtinTools.filter(({ family, needs }) => family === "files" && needs.includes("files"));
  const all = { path: "drafts/../x", content: "", oldText: "a", newText: "b", query: "q" };
  const argsOf = ({ inputSchema }: AnyTool) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => Object.hasOwn(Object(inputSchema.properties), name)));
  expect(tools.map((tool) => tool.parse(argsOf(tool)))).toEqual(
    tools.map(() => ({ ok: true, value: expect.objectContaining({ path: "x" }) })),
  );
  expect(tools.length).toBeGreaterThanOrEqual(4);
});
