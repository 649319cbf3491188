import { describe, expect, test } from "vitest";
import { disclose, effectiveSet } from "./disclosure";

type Tool = Parameters<typeof effectiveSet>[0][number];
const tool = (name: string, change: Partial<Tool> = {}): Tool => ({
  name,
  source: "builtin",
  enabled: true,
  sourceEnabled: true,
  surface: "natural",
  tier: "core",
  alwaysOn: false,
  ...change,
});
const mcp = (name: string, change: Partial<Tool> = {}) => tool(name, { source: "mcp", tier: "extension", ...change });

const tools = [
  tool("read_file"),
  tool("image_generate", { tier: "extension" }),
  tool("enable_tool", { alwaysOn: true }),
  mcp("fs__list"),
  mcp("fs__read"),
  mcp("git__log"),
];
const names = (list: { name: string }[]) => list.map(({ name }) => name);
const agent = (ticked: string[] = [], disclosureMode: "progressive" | "legacy" = "progressive") => ({
  ticked: new Set(ticked),
  disclosureMode,
});

describe("an agent may use", () => {
  test.each([
    [
      "everything that is enabled when nothing is ticked",
      [],
      ["read_file", "image_generate", "enable_tool", "fs__list", "fs__read", "git__log"],
    ],
    [
      "the ticked builtin tools, the framework's own and all MCP tools when no MCP tool is ticked",
      ["read_file"],
      ["read_file", "enable_tool", "fs__list", "fs__read", "git__log"],
    ],
    ["only the ticked MCP tools when one is ticked", ["read_file", "git__log"], ["read_file", "enable_tool", "git__log"]],
    ["its MCP tools alone when only those are ticked", ["fs__read"], ["enable_tool", "fs__read"]],
    ["no MCP tool when the only ticked one is gone from its server, or with it", ["read_file", "fs__gone"], ["read_file", "enable_tool"]],
    ["all MCP tools when a ticked builtin tool no longer exists", ["gone_tool"], ["enable_tool", "fs__list", "fs__read", "git__log"]],
  ])("%s", (_title, ticked, expected) => {
    expect(names(effectiveSet(tools, agent(ticked)))).toEqual(expected);
  });

  test("nothing at all when the agent has no tools, ticked or not", () => {
    expect(effectiveSet(tools, { ticked: new Set(), disclosureMode: "none" })).toEqual([]);
    expect(effectiveSet(tools, { ticked: new Set(["read_file"]), disclosureMode: "none" })).toEqual([]);
  });

  test("nothing that is switched off, by itself or with its server, and nothing of the escalate surface", () => {
    const list = [tool("a", { enabled: false }), mcp("b", { sourceEnabled: false }), tool("c", { surface: "escalate" }), tool("d")];
    expect(names(effectiveSet(list, agent()))).toEqual(["d"]);
    expect(names(effectiveSet(list, agent(["a", "b", "c"])))).toEqual([]);
  });
});

describe("a model is shown", () => {
  test("core tools in full, extension tools in the directory, the framework's own last", () => {
    const shown = disclose(tools, agent(), new Set());
    expect(names(shown.advertised)).toEqual(["read_file", "enable_tool"]);
    expect(names(shown.directory)).toEqual(["image_generate", "fs__list", "fs__read", "git__log"]);
  });

  test("activated tools in full, behind all others in the order of activation, and no longer in the directory", () => {
    expect(names(disclose(tools, agent(), new Set(["git__log", "fs__list"])).advertised)).toEqual([
      "read_file",
      "enable_tool",
      "git__log",
      "fs__list",
    ]);
    const shown = disclose(tools, agent(), new Set(["fs__read"]));
    expect(names(shown.advertised)).toEqual(["read_file", "enable_tool", "fs__read"]);
    expect(names(shown.directory)).not.toContain("fs__read");
  });

  test("the bridge behind the framework's own tools, and behind it what is listed last", () => {
    const list = [tool("a_recall", { listedLast: true }), tool("bridge", { isBridge: true }), ...tools, tool("write_file")];
    expect(names(disclose(list, agent(), new Set()).advertised)).toEqual(["read_file", "write_file", "enable_tool", "bridge", "a_recall"]);
  });

  test("no tool that cannot run, neither in full nor in the directory", () => {
    const list = [
      tool("a", { availability: "unavailable" }),
      mcp("b__c", { availability: "unavailable" }),
      tool("d"),
      mcp("b__stale", { availability: "stale" }),
    ];
    const shown = disclose(list, agent(), new Set(["b__c"]));
    expect([names(shown.advertised), names(shown.directory)]).toEqual([["d"], ["b__stale"]]);
  });

  test("a core tool over the budget in the directory, until the conversation activates it", () => {
    const demoted = new Set(["read_file"]);
    expect(names(disclose(tools, agent(), new Set(), demoted).directory)).toContain("read_file");
    expect(names(disclose(tools, { ...agent(), demoted }, new Set(["read_file"])).advertised)).toEqual(["enable_tool", "read_file"]);
    expect(names(disclose(tools, agent([], "legacy"), new Set(), demoted).directory)).toEqual([]);
  });

  test("every tool in full in legacy mode, and no way to enable what is enabled already", () => {
    const shown = disclose(tools, agent([], "legacy"), new Set());
    expect(names(shown.advertised)).toEqual(["read_file", "image_generate", "fs__list", "fs__read", "git__log"]);
    expect(shown.directory).toEqual([]);
  });
});
