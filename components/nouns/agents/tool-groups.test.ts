import { expect, test } from "vitest";
import type { Tool } from "@/contracts/tools/tools";
import { changeWords, computeTickState, toolGroups, withTicks } from "./tool-groups";

const tool = (name: string, values: Partial<Tool> = {}): Tool =>
  ({
    name,
    title: name,
    description: "",
    family: "f",
    aliases: [],
    source: "builtin",
    sourceName: null,
    tierLockedReason: null,
    ...values,
  }) as Tool;
const tools = [
  tool("enable_tool", { tierLockedReason: "stays" }),
  tool("read_file"),
  tool("files__read", { source: "mcp", sourceName: "files", tierLockedReason: "its server" }),
  tool("files__list", { source: "mcp", sourceName: "files", tierLockedReason: "its server" }),
];

test("tools stand by their source, without those that every agent has", () => {
  expect(toolGroups(tools, "").map(({ source, tools: of }) => [source, of.map(({ name }) => name)])).toEqual([
    ["builtin", ["read_file"]],
    ["mcp:files", ["files__read", "files__list"]],
  ]);
  expect(toolGroups(tools, "list").map(({ source }) => source)).toEqual(["mcp:files"]);
});

test("a source is ticked as a whole, in part or not at all", () => {
  const [, files] = toolGroups(tools, "");
  const states = [[], ["files__read"], ["files__read", "files__list"]].map((ticked) =>
    computeTickState(files?.tools ?? [], new Set(ticked)),
  );
  expect(states).toEqual(["none", "some", "all"]);
});

test("ticking and unticking says what changes", () => {
  const after = withTicks(withTicks(["b", "c"], ["a", "b"], true), ["c"], false);
  expect(after).toEqual(["a", "b"]);
  expect(changeWords(["b", "c"], after)).toBe("1 added, 1 removed");
  expect(changeWords(["b", "a"], after)).toBeNull();
});
