import { expect, test } from "vitest";
import { parameterChoices } from "./parameter-choices";
import { toolChoices } from "./tool-choices";

const shell = {
  name: "shell_execute",
  source: "builtin" as const,
  sourceName: null,
  primaryArgument: "command",
  inputSchema: { type: "object", properties: { timeoutSeconds: {}, command: {} } },
};
const note = { name: "notes__add", source: "mcp" as const, sourceName: "notes", primaryArgument: null, inputSchema: { type: "object" } };

test("a rule can be about a tool, a server's tools or a kind of tools", () => {
  const groups = Object.fromEntries(toolChoices([shell, note]).map(({ group, items }) => [group, items]));
  expect(groups.Tools).toEqual(["shell_execute", "notes__add"]);
  expect(groups["All tools of a server"]).toEqual(["notes__*"]);
  expect(groups["Kinds of tools"]).toContain("effect:destroy");
  expect(groups["Kinds of tools"]).toContain("source:mcp");
  expect(groups["Kinds of tools"]).toContain("needs:shell");
});

test("without servers their group is not there", () => {
  expect(toolChoices([shell]).map(({ group }) => group)).toEqual(["Tools", "Kinds of tools"]);
});

test("the parameters of the one tool are offered, what the call is about first", () => {
  expect(parameterChoices("shell_execute", [shell, note])).toEqual(["command", "timeoutSeconds"]);
  expect(parameterChoices("notes__add", [shell, note])).toEqual([]);
  expect(parameterChoices("source:mcp", [shell, note])).toEqual([]);
});
