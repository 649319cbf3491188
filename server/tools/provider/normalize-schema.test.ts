import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import type OpenAI from "openai";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { advertise } from "../disclosure/present-listing";
import { normalizeSchema } from "./normalize-schema";
import { type ProviderFormat, providerFormats, providerRules } from "./provider-rules";

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });
const normalizeFor = (schema: JsonObject, provider: ProviderFormat = "openai") => normalizeSchema(schema, providerRules[provider]);

describe("a schema for a provider", () => {
  test.each<[string, ProviderFormat, JsonObject, JsonObject]>([
    [
      "keeps a list of types for OpenAI",
      "openai",
      object({ a: { type: ["string", "null"] } }),
      object({ a: { type: ["string", "null"] } }),
    ],
    [
      "has alternatives in place of a list of types for Gemini",
      "gemini",
      object({ a: { type: ["string", "null"], description: "A" } }),
      object({ a: { description: "A", anyOf: [{ type: "string" }, { type: "null" }] } }),
    ],
    ["has one type in place of a list of one", "openai", object({ a: { type: ["integer"] } }), object({ a: { type: "integer" } })],
    [
      "has the types of JSON Schema",
      "anthropic",
      object({ a: { type: "int" }, b: { type: "Any" } }),
      object({ a: { type: "integer" }, b: {} }),
    ],
    [
      "has the exclusive bounds of today in place of draft 4",
      "openai",
      object({ a: { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false } }),
      object({ a: { type: "number", exclusiveMinimum: 0, maximum: 9 } }),
    ],
    ["gives an array its items", "openai", object({ a: { type: "array" } }), object({ a: { type: "array", items: {} } })],
    [
      "gives an array items of a type for Gemini",
      "gemini",
      object({ a: { type: "array" } }),
      object({ a: { type: "array", items: { type: "string" } } }),
    ],
    [
      "has one object in place of alternatives at the top, and requires what all of them require",
      "anthropic",
      { anyOf: [object({ a: {}, b: {} }, { required: ["a", "b"] }), object({ a: {}, c: {} }, { required: ["a"] })] },
      object({ a: {}, b: {}, c: {} }, { required: ["a"] }),
    ],
    [
      "has the targets of references for Gemini",
      "gemini",
      object({ a: { $ref: "#/$defs/A" } }, { $defs: { A: { type: "string", pattern: "x" } } }),
      object({ a: { type: "string" } }),
    ],
    ["drops an optional argument with a name that the provider refuses", "anthropic", object({ "a b": {}, c: {} }), object({ c: {} })],
    [
      "requires only arguments that exist",
      "gemini",
      object({ a: {} }, { required: ["a", "gone"] }),
      object({ a: {} }, { required: ["a"] }),
    ],
  ])("%s", (_title, provider, given, expected) => {
    const { schema, refusal } = normalizeFor(given, provider);
    expect(schema).toEqual(expected);
    expect(refusal).toBeNull();
  });

  test("says what was changed, and nothing about a schema that fits", () => {
    expect(normalizeFor(object({ a: { type: "string" } }, { required: ["a"] })).changes).toEqual([]);
    expect(normalizeFor(object({ a: { type: "array" } })).changes).toEqual(["a got items, because an array must say what it holds."]);
  });

  test("is refused with the reason when a required argument has an impossible name, or the arguments are no object", () => {
    expect(normalizeFor(object({ "ä ö": {} }, { required: ["ä ö"] }), "anthropic").refusal).toContain('"ä ö"');
    expect(normalizeFor({ type: "array", items: {} }).refusal).toContain("takes an object");
  });

  test("does not end in a reference to itself", () => {
    const { schema } = normalizeFor(object({ a: { $ref: "#/properties/a" }, b: { $ref: "#" } }), "gemini");
    expect(JSON.stringify(schema).length).toBeLessThan(100_000);
  });

  test("is one that JSON Schema accepts, whatever a server sent", () => {
    const ajv = new Ajv2020({ strict: false, logger: false });
    const anyType = fc.constantFrom("string", "int", "object", "array", ["string", "null"], ["array", "object"], "nonsense", 7);
    const leaf = fc.record({ type: anyType, exclusiveMinimum: fc.boolean(), minimum: fc.integer() }, { requiredKeys: [] });
    const { node } = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.record({ type: fc.constant("object"), properties: fc.dictionary(fc.string({ maxLength: 8 }), tie("node"), { maxKeys: 4 }) }),
        fc.record({ anyOf: fc.array(tie("node"), { minLength: 1, maxLength: 3 }) }),
        fc.record({ type: fc.constant("array"), items: fc.oneof(tie("node"), fc.array(tie("node"), { maxLength: 2 })) }),
      ),
    }));
    fc.assert(
      fc.property(node, fc.constantFrom(...providerFormats), (schema, provider) => {
        const fitted = normalizeFor(schema as JsonObject, provider);
        return fitted.refusal !== null || (ajv.validateSchema(fitted.schema) === true && fitted.schema.type === "object");
      }),
      { numRuns: 300 },
    );
  });
});

describe("a tool in a provider's format", () => {
  const tool = (given: { name?: string; description?: string; schema?: JsonObject } = {}) => ({
    name: given.name ?? "shop__find",
    title: "Find",
    shownDescription: given.description ?? "Finds a thing",
    source: "mcp" as const,
    sourceName: "shop",
    tier: "core" as const,
    effect: "read" as const,
    concurrencySafe: true,
    shownInputSchema: given.schema ?? object({ query: { type: "string" } }, { required: ["query"] }),
  });
  const parameters = { type: "object", properties: { query: { type: "string" } }, required: ["query"] };

  test("has the shape that the provider documents", () => {
    const chat: OpenAI.Chat.ChatCompletionTool = {
      type: "function",
      function: { name: "shop__find", description: "Finds a thing", parameters },
    };
    const responses: OpenAI.Responses.FunctionTool = {
      type: "function",
      name: "shop__find",
      description: "Finds a thing",
      parameters,
      strict: false,
    };
    expect(advertise(tool(), "openai")).toEqual(chat);
    expect(advertise(tool(), "openai-responses")).toEqual(responses);
    expect(advertise(tool(), "anthropic")).toEqual({ name: "shop__find", description: "Finds a thing", input_schema: parameters });
    expect(advertise(tool(), "gemini")).toEqual({ name: "shop__find", description: "Finds a thing", parametersJsonSchema: parameters });
  });

  test("has the provider's own tools in Responses only, because chat completions take functions", () => {
    const search: OpenAI.Responses.WebSearchTool = { type: "web_search" };
    const own = { ...tool({ name: "provider_web_search" }), source: "provider" as const, sourceName: null };
    expect(advertise(own, "openai-responses")).toEqual(search);
    expect(advertise(own, "openai")).toBeNull();
  });

  test("has at most 1,024 characters of description for OpenAI, and all of them elsewhere", () => {
    const long = tool({ description: "é".repeat(2_000) });
    expect([...(advertise(long, "openai-responses") as { description: string }).description]).toHaveLength(1_024);
    expect((advertise(long, "anthropic") as { description: string }).description).toHaveLength(2_000);
  });

  test("is left out where its name begins with a digit and the provider refuses that", () => {
    expect(advertise(tool({ name: "3d__print" }), "gemini")).toBeNull();
    expect(advertise(tool({ name: "3d__print" }), "openai")).not.toBeNull();
  });
});
