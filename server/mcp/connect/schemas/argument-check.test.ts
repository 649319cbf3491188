import { expect, test, vi } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { checkArguments, schemaFault } from "./argument-check";

const object = (rest: JsonObject): JsonObject => ({ type: "object", properties: {}, ...rest });
const refusal = (schema: JsonObject, args: JsonObject) => {
  const checked = checkArguments("fs__tool", schema, args);
  return checked.ok ? null : checked.message;
};

test("arguments that fit come out as they went in, nothing coerced and nothing optional filled in", () => {
  const args = { path: "a", extra: [1, "2"] };
  const schema = object({ properties: { path: { type: "string" }, lines: { type: "number", default: 5 } }, required: ["path"] });
  expect(checkArguments("fs__tool", schema, args)).toEqual({ ok: true, value: args });
  expect(refusal(schema, { path: "a", lines: "5" })).toContain("lines must be number");
});

test("a required parameter with a default is filled in, deeper down as well, and its value is checked", () => {
  const page = object({ properties: { size: { type: "number", default: 10 } }, required: ["size"] });
  const schema = object({
    properties: {
      scale: { enum: ["css", "device"], default: "css" },
      page,
      pages: { type: "array", items: page },
      path: { type: "string" },
    },
    required: ["scale", "path"],
  });
  const value = { path: "a", page: { size: 10 }, pages: [{ size: 1 }, { size: 10 }], scale: "css" };
  expect(checkArguments("fs__tool", schema, { path: "a", page: {}, pages: [{ size: 1 }, {}] })).toEqual({ ok: true, value });
  expect(refusal(schema, {})).toContain("missing required param: path");
  expect(refusal(schema, {})).not.toContain("scale");
  expect(refusal(object({ properties: { mode: { type: "string", default: 5 } }, required: ["mode"] }), {})).toContain(
    "mode must be string",
  );
});

test("every missing parameter is named in the words that models know", () => {
  const schema = object({ properties: { a: { type: "string" }, b: { type: "string" } }, required: ["a", "b"] });
  expect(refusal(schema, {})).toBe(
    "The arguments of fs__tool do not fit its schema: missing required param: a; missing required param: b. Send the call again with these corrected.",
  );
});

test.each<[string, JsonObject, JsonObject, string]>([
  ["an unknown parameter", object({ additionalProperties: false }), { colour: 1 }, "unexpected param: colour"],
  ["a value outside a list", object({ properties: { mode: { enum: ["r", "w"] } } }), { mode: "x" }, 'mode must be one of ["r","w"]'],
  [
    "a parameter missing deeper down",
    object({ properties: { edits: { type: "array", items: { type: "object", required: ["oldText"] } } } }),
    { edits: [{}] },
    "missing required param: edits.0.oldText",
  ],
  [
    "a text against a pattern",
    object({ properties: { id: { type: "string", pattern: "^[0-9]+$" } } }),
    { id: "x" },
    'id must match pattern "^[0-9]+$"',
  ],
])("%s is explained", (_title, schema, args, sentence) => {
  expect(refusal(schema, args)).toContain(sentence);
});

test("each parameter is checked against its own pattern, however many a schema has", () => {
  const schema = object({ properties: { id: { type: "string", pattern: "^[0-9]+$" }, word: { type: "string", pattern: "^[a-z]+$" } } });
  expect(refusal(schema, { id: "12", word: "ab" })).toBeNull();
  expect(refusal(schema, { id: "12", word: "34" })).toContain('word must match pattern "^[a-z]+$"');
  expect(refusal(schema, { id: "ab", word: "ab" })).toContain('id must match pattern "^[0-9]+$"');
});

test("both dialects work: tuples as draft-07 writes them, prefixItems as 2020-12 does", () => {
  const draft7 = object({ properties: { pair: { type: "array", items: [{ type: "string" }, { type: "number" }] } } });
  const draft2020 = object({ properties: { pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] } } });
  for (const schema of [draft7, draft2020]) {
    expect(refusal(schema, { pair: ["a", 1] })).toBeNull();
    expect(refusal(schema, { pair: ["a", "b"] })).toContain("pair.1 must be number");
  }
});

test.each<[string, JsonObject]>([
  ["a type that does not exist", object({ properties: { a: { type: "strng" } } })],
  ["a reference to nowhere", object({ properties: { a: { $ref: "#/$defs/gone" } } })],
  ["a reference to another host", object({ properties: { a: { $ref: "https://example.com/schema.json" } } })],
  ["a pattern that is none", object({ properties: { a: { type: "string", pattern: "(" } } })],
])("a schema with %s is a fault with a reason, and a call says so instead of crashing", (_title, schema) => {
  expect(schemaFault(schema)).toMatch(/^its input schema does not compile \(.+\)\.$/);
  expect(refusal(schema, { a: "x" })).toContain("fs__tool cannot be called: its input schema does not compile");
});

test("a pattern that would take a backtracking engine for ever is answered at once", () => {
  const schema = object({ properties: { a: { type: "string", pattern: "^(a+)+$" } } });
  expect(refusal(schema, { a: `${"a".repeat(50_000)}!` })).toContain("a must match pattern");
});

test("a pattern that only a backtracking engine knows is left to the server", () => {
  const schema = object({ properties: { a: { type: "string", pattern: "^(?!admin)(\\w)\\1" } } });
  expect(schemaFault(schema)).toBeNull();
  expect(refusal(schema, { a: "admin" })).toBeNull();
});

test("a schema made to take exponential time is stopped", () => {
  const $defs: JsonObject = { a30: { type: "object" } };
  for (let level = 0; level < 30; level += 1) {
    const next = { $ref: `#/$defs/a${level + 1}` };
    $defs[`a${level}`] = { allOf: [next, next] };
  }
  expect(refusal(object({ $defs, $ref: "#/$defs/a0" }), {})).toContain("could not be checked");
});

test("a schema that refers to itself without end is a sentence and not a crash", () => {
  expect(refusal(object({ allOf: [{ $ref: "#" }] }), {})).toContain("could not be checked");
});

test("a recursive schema that makes sense works", () => {
  const node: JsonObject = {
    type: "object",
    properties: { children: { type: "array", items: { $ref: "#/$defs/node" } }, name: { type: "string" } },
  };
  const schema = object({ $defs: { node }, properties: { root: { $ref: "#/$defs/node" } } });
  expect(refusal(schema, { root: { children: [{ name: "a", children: [] }] } })).toBeNull();
  expect(refusal(schema, { root: { children: [{ name: 1 }] } })).toContain("root.children.0.name must be string");
});

test("two servers may use one $id without meeting", () => {
  const one = object({ $id: "https://example.com/tool", properties: { a: { type: "string" } } });
  const other = object({ $id: "https://example.com/tool", properties: { a: { type: "number" } } });
  expect(refusal(one, { a: "x" })).toBeNull();
  expect(refusal(other, { a: "x" })).toContain("a must be number");
});

test("a parameter named like an inherited property is an ordinary one", () => {
  const schema = object({ properties: { constructor: { type: "string" } }, required: ["constructor"] });
  expect(refusal(schema, {})).toContain("missing required param: constructor");
});

/** Makes a schema that takes seconds to compile, because each of its thousands of branches becomes code. */
function slowSchema(): JsonObject {
  const branch = (depth: number, path: string): JsonObject =>
    depth === 0
      ? { type: "string", pattern: `^${path}$`, minLength: 1 }
      : { anyOf: Array.from({ length: 12 }, (_, index) => branch(depth - 1, `${path}${index}`)) };
  return object({ properties: { a: branch(4, "x") } });
}

test("a schema that is too slow to compile is a fault; one that only met a busy machine is compiled again", () => {
  const cpu = vi.spyOn(process, "threadCpuUsage").mockReturnValue({ user: 0, system: 0 });
  const schema = slowSchema();
  expect(schemaFault(schema)).toBeNull();
  expect(refusal(schema, {})).toBe(
    "fs__tool cannot be called at this moment: this machine was too busy to compile its input schema. Send the call again.",
  );
  cpu.mockReturnValue({ user: 900_000, system: 0 });
  expect(schemaFault(schema)).toContain("does not compile");
  expect(refusal(schema, {})).toContain("cannot be called: its input schema does not compile");
  cpu.mockRestore();
});
