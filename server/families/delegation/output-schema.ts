import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { describeMismatch, schemaFault } from "@/server/mcp/connect/schemas/argument-check";

/** A schema is checked on an object, so another root is wrapped under this name. */
const wrapped = "value";

type Read = { ok: true; schema: JsonObject } | { ok: false; message: string };

/** Reads the schema that a caller wants its answer in, as an object or as a text of JSON. */
export function readOutputSchema(given: JsonObject | string): Read {
  let schema: unknown = given;
  try {
    if (typeof given === "string") schema = JSON.parse(given);
  } catch {
    return { ok: false, message: "output_schema is no valid JSON. Send a JSON Schema as an object." };
  }
  if (!isJsonObject(schema)) return { ok: false, message: "output_schema must be a JSON Schema, an object." };
  const fault = schemaFault(inObject(schema));
  return fault ? { ok: false, message: `output_schema cannot be used: ${fault}` } : { ok: true, schema };
}

/** Returns the sentence that asks a model for an answer of a schema. */
export const askForSchema = (schema: JsonObject): string =>
  `Answer at the end with JSON only, without any other text, that fits this JSON Schema:\n${JSON.stringify(schema)}`;

type Answer = { ok: true; value: Json } | { ok: false; problem: string };

/** Reads an answer as JSON of a schema: the whole text, or its last fenced block. */
export function readAnswer(schema: JsonObject, text: string): Answer {
  const value = parseLoosely(text);
  if (value === undefined) return { ok: false, problem: "the answer is no JSON" };
  const problem = describeMismatch(inObject(schema), { [wrapped]: value });
  return problem === null ? { ok: true, value } : { ok: false, problem };
}

const inObject = (schema: JsonObject): JsonObject => {
  // Definitions stay at the root, where references look for them.
  const { $defs, definitions, $schema, ...rest } = schema;
  return {
    ...($schema ? { $schema } : {}),
    ...($defs ? { $defs } : {}),
    ...(definitions ? { definitions } : {}),
    type: "object",
    properties: { [wrapped]: rest },
    required: [wrapped],
  };
};

function parseLoosely(text: string): Json | undefined {
  const trimmed = text.trim();
  const start = trimmed.lastIndexOf("```", trimmed.length - 4);
  const block = trimmed.endsWith("```") && start >= 0 ? trimmed.slice(start + 3, -3).replace(/^[a-z]*\n/, "") : null;
  for (const candidate of [trimmed, block]) {
    if (candidate === null) continue;
    try {
      return JSON.parse(candidate) as Json;
    } catch {
      // No JSON: the next candidate is tried.
    }
  }
  return undefined;
}
