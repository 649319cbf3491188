import { expect, test } from "vitest";
import { exampleArguments } from "./example-arguments";

test("an example has the arguments that must be there, empty", () => {
  const inputSchema = {
    type: "object",
    required: ["command", "times"],
    properties: { command: { type: "string" }, times: { type: "integer" } },
  };
  expect(JSON.parse(exampleArguments({ inputSchema, primaryArgument: "command" }))).toEqual({ command: "", times: 0 });
});

test("a tool that needs nothing shows what it is about, or nothing", () => {
  expect(JSON.parse(exampleArguments({ inputSchema: {}, primaryArgument: "path" }))).toEqual({ path: "" });
  expect(exampleArguments({ inputSchema: { required: "all" }, primaryArgument: null })).toBe("{}");
});
