import { expect, test } from "vitest";
import { countTokens } from "./count-tokens";
import { writeDirectory } from "./directory";
import { toolsOverBudget } from "./schema-budget";

type Listed = Parameters<typeof writeDirectory>[0][number];
const ofServer = (alias: string, count: number): Listed[] =>
  Array.from({ length: count }, (_, at) => ({
    name: `${alias}__do_thing_${at}`,
    source: "mcp",
    sourceName: alias,
    shownDescription: `[MCP server: ${alias}] Does the thing with the number ${at}, thoroughly and at once, for everybody who asks for it`,
  }));
const ask: Listed = { name: "ask", source: "builtin", sourceName: null, shownDescription: "Asks" };
const budget = 1_400;

test("a few tools have a line each under their source, and the alias is not said again", () => {
  const { text, isShortened } = writeDirectory([ask, ...ofServer("shop", 2)], budget);
  expect(isShortened).toBe(false);
  expect(text.split("\n").slice(0, 2)).toEqual(["Extension tools:", "builtin:"]);
  expect(text).toContain("\nmcp:shop:\n- shop__do_thing_0: Does the thing with the number 0, thoroughly");
  expect(text).not.toContain("[MCP server");
  for (const line of text.split("\n")) expect(line.replace(/^- \S+: /, "").length).toBeLessThanOrEqual(83);
});

test("many tools are counted by source, with some of their names", () => {
  const { text, isShortened } = writeDirectory([...ofServer("shop", 300), ...ofServer("bank", 200)], budget);
  expect(isShortened).toBe(true);
  expect(text).toContain("Extension tools: 500, by source.");
  expect(text).toMatch(/- mcp:shop: 300 \(do_thing_0, .*\.\.\.\)/);
  expect(countTokens(text)).toBeLessThanOrEqual(budget);
});

test("every tool is named while the names fit, although a line for each does not", () => {
  const tools = [...ofServer("shop", 55), ...ofServer("bank", 20)];
  const { text, isShortened } = writeDirectory(tools, 600);
  expect(isShortened).toBe(true);
  for (const { name } of tools) expect(text).toContain(name.replace(/^\w+?__/, ""));
  expect(text).not.toContain("...");
  expect(countTokens(text)).toBeLessThanOrEqual(600);
});

test.each([1, 10, 100, 1_000])("10,000 tools of %i sources stay within the budget and are all counted", (sources) => {
  const tools = Array.from({ length: sources }, (_, at) => ofServer(`server${at}`, 10_000 / sources)).flat();
  const { text } = writeDirectory(tools, budget);
  expect(countTokens(text)).toBeLessThanOrEqual(budget);
  const counted = [...text.matchAll(/^- .*?: (\d+)/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
  expect(counted).toBe(10_000);
  expect(
    writeDirectory(
      tools.map((tool) => ({ ...tool })),
      budget,
    ).text,
  ).toBe(text);
});

test("the largest source is shortened first, and builtin tools keep their descriptions", () => {
  const own: Listed[] = Array.from({ length: 40 }, (_, at) => ({
    name: `builtin_tool_${at}`,
    source: "builtin",
    sourceName: null,
    shownDescription: `Does something that nobody else does, in the way number ${at} of all the ways that there are`,
  }));
  const { text, isShortened } = writeDirectory([...own, ...ofServer("small", 3), ...ofServer("huge", 400)], budget);
  expect(isShortened).toBe(true);
  for (const { name } of own) expect(text).toMatch(new RegExp(`- ${name}: Does something`));
  expect(text).toContain("- small__do_thing_0: Does the thing");
  expect(text).toMatch(/- mcp:huge: 400 \(do_thing_0/);
  expect(countTokens(text)).toBeLessThanOrEqual(budget);
});

test("builtin tools that alone are too much are cut shorter, and a small source stays whole", () => {
  const own: Listed[] = Array.from({ length: 90 }, (_, at) => ({
    name: `builtin_tool_${at}`,
    source: "builtin",
    sourceName: null,
    shownDescription: `Does something that nobody else does, in the way number ${at} of all the ways that there are`,
  }));
  const { text } = writeDirectory([...own, ...ofServer("small", 3)], budget);
  expect(text).toContain("- small__do_thing_2: Does the thing");
  for (const { name } of own) expect(text).toMatch(new RegExp(`- ${name}: Does something`));
  expect(countTokens(text)).toBeLessThanOrEqual(budget);
});

test("no tools make no directory", () => {
  expect(writeDirectory([], budget)).toEqual({ text: "", isShortened: false });
});

test("over the budget of schemas the never used tools go first, then the least recently used, ties by name", () => {
  const used = (name: string, day: number | null) => ({ name, tokens: 100, lastUsedAt: day === null ? null : new Date(day) });
  const tools = [used("new", 9), used("old", 1), used("b", null), used("a", null)];
  expect(toolsOverBudget(tools, 400)).toEqual([]);
  expect(toolsOverBudget(tools, 399)).toEqual(["a"]);
  expect(toolsOverBudget(tools, 150)).toEqual(["a", "b", "old"]);
  expect(toolsOverBudget(tools, 0)).toEqual(["a", "b", "old", "new"]);
});
