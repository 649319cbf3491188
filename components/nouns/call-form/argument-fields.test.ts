import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { argumentFields, missingArguments, startingArguments, unknownFields } from "./argument-fields";

const schema: JsonObject = {
  type: "object",
  required: ["path", "lines"],
  properties: {
    mode: { enum: ["read", "write"], default: "read", description: "How it is opened" },
    path: { type: "string", minLength: 1 },
    lines: { $ref: "#/$defs/Lines" },
    content: { anyOf: [{ type: "string" }, { type: "null" }] },
    deep: { type: ["boolean", "null"] },
    edits: { type: "array", items: { type: "object", required: ["from"], properties: { from: { type: "string" } } } },
    headers: { type: "object", additionalProperties: { type: "string" } },
    either: { anyOf: [{ type: "string" }, { type: "number" }] },
    anything: {},
  },
  $defs: { Lines: { type: "integer", minimum: 1 } },
};

const shapes = Object.fromEntries(argumentFields(schema).map(({ name, shape }) => [name, shape]));

describe("each parameter gets the control of its schema", () => {
  test.each([
    ["mode", { kind: "choice", options: ["read", "write"] }],
    ["path", { kind: "text", isLong: false }],
    ["lines", { kind: "number", isWhole: true }],
    ["content", { kind: "text", isLong: true }],
    ["deep", { kind: "choice", options: [true, false] }],
    ["headers", { kind: "json" }],
    ["either", { kind: "json" }],
    ["anything", { kind: "json" }],
  ])("%s", (name, shape) => {
    expect(shapes[name]).toEqual(shape);
  });

  test("a list of objects is a list of groups", () => {
    expect(shapes.edits).toMatchObject({ kind: "list", item: { kind: "group", fields: [{ name: "from", isRequired: true }] } });
  });
});

test("required fields come first and say their limits, and no required text says that it has a character", () => {
  const [first, second] = argumentFields(schema);
  expect([first, second].map((field) => [field?.name, field?.limits])).toEqual([
    ["path", []],
    ["lines", ["at least 1"]],
  ]);
});

test("required fields keep the order of `required`, whatever order the properties have", () => {
  const text = { type: "string" };
  const edit = { required: ["path", "oldText", "newText"], properties: { all: text, newText: text, oldText: text, path: text } };
  expect(argumentFields(edit).map(({ name }) => name)).toEqual(["path", "oldText", "newText", "all"]);
});

test("a schema that refers to itself ends in JSON", () => {
  const tree: JsonObject = {
    type: "object",
    properties: { node: { $ref: "#/$defs/Node" } },
    $defs: { Node: { type: "object", properties: { child: { $ref: "#/$defs/Node" } } } },
  };
  expect(JSON.stringify(argumentFields(tree))).toContain('"kind":"json"');
});

test("the form starts with the required arguments that have an empty value, and with their defaults", () => {
  expect(startingArguments({ inputSchema: schema, primaryArgument: "path" })).toEqual({ path: "" });
  const inputSchema = { type: "object", required: ["size"], properties: { size: { type: "integer", default: 3 } } };
  expect(startingArguments({ inputSchema, primaryArgument: null })).toEqual({ size: 3 });
});

test("a tool that requires nothing starts with its primary argument, or with nothing", () => {
  expect(startingArguments({ inputSchema: {}, primaryArgument: "path" })).toEqual({ path: "" });
  expect(startingArguments({ inputSchema: { required: "all" }, primaryArgument: null })).toEqual({});
});

test("required arguments that are absent are named, and arguments without a parameter get a field", () => {
  const fields = argumentFields(schema);
  expect(missingArguments(fields, { path: "" })).toEqual(["lines"]);
  expect(unknownFields(fields, { path: "a", extra: 1 })).toMatchObject([{ name: "extra", shape: { kind: "json" } }]);
});
