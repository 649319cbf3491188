import { type KeyValue, keyValue } from "@/components/nouns/mcp-servers/server-draft";
import type { Json, JsonObject } from "@/contracts/common";
import type { HttpMethod, HttpTool, HttpToolDraft } from "@/contracts/tools/http-tools";
import type { ToolEffect, ToolTier } from "@/contracts/tools/tools";

/** An HTTP tool as form values: maps as rows, JSON as text. */
export type HttpToolFields = {
  name: string;
  description: string;
  method: HttpMethod;
  url: string;
  query: KeyValue[];
  headers: KeyValue[];
  /** JSON, or a text where it is none; empty: the arguments as an object. */
  body: string;
  bodyType: HttpToolDraft["http"]["bodyType"];
  /** Empty: one text argument per placeholder. */
  inputSchema: string;
  authProfileId: string | null;
  /** Empty: the method decides. */
  effect: ToolEffect | "";
  tier: ToolTier;
  timeoutSeconds: number;
};

export const emptyHttpTool: HttpToolFields = {
  name: "",
  description: "",
  method: "GET",
  url: "",
  query: [],
  headers: [],
  body: "",
  bodyType: "json",
  inputSchema: "",
  authProfileId: null,
  effect: "",
  tier: "extension",
  timeoutSeconds: 30,
};

const rowsOf = (map: Record<string, string>) => Object.entries(map).map(([name, value]) => keyValue(name, value));
const mapOf = (rows: readonly KeyValue[]) =>
  Object.fromEntries(rows.filter(({ name, value }) => name.trim() !== "" || value !== "").map(({ name, value }) => [name.trim(), value]));

export function toHttpToolFields({ name, description, http, inputSchema, effect, tier, timeoutMs }: HttpTool): HttpToolFields {
  const { method, url, query, headers, bodyTemplate, bodyType, authProfileId } = http;
  return {
    name,
    description,
    method,
    url,
    query: rowsOf(query),
    headers: rowsOf(headers),
    body: bodyTemplate === null ? "" : typeof bodyTemplate === "string" ? bodyTemplate : JSON.stringify(bodyTemplate, null, 2),
    bodyType,
    inputSchema: JSON.stringify(inputSchema, null, 2),
    authProfileId,
    effect,
    tier,
    timeoutSeconds: timeoutMs / 1_000,
  };
}

/**
 * Returns the draft to send; its members may still be invalid.
 * @throws SyntaxError with the field's name as cause when the schema is no JSON
 */
export function toHttpToolDraft(fields: HttpToolFields, commaLists: readonly string[]): HttpToolDraft {
  const { name, description, method, url, bodyType, authProfileId, effect, tier, timeoutSeconds } = fields;
  const query = mapOf(fields.query);
  return {
    name: name.trim(),
    description,
    inputSchema: schemaOf(fields),
    http: {
      method,
      url: url.trim(),
      query,
      headers: mapOf(fields.headers),
      bodyTemplate: fields.body.trim() === "" ? null : bodyOf(fields.body),
      bodyType,
      commaLists: commaLists.filter((name) => Object.hasOwn(query, name)),
      authProfileId,
    },
    ...(effect === "" ? {} : { effect }),
    tier,
    timeoutMs: Math.round(timeoutSeconds * 1_000),
  };
}

function bodyOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function schemaOf(fields: HttpToolFields): JsonObject {
  if (fields.inputSchema.trim() !== "") return JSON.parse(fields.inputSchema) as JsonObject;
  const inUrl = [...fields.url.matchAll(/\{([A-Za-z_][\w-]*)\}/g)].map(([, name = ""]) => name);
  const texts = [...fields.query, ...fields.headers].map(({ value }) => value).join(" ") + fields.body;
  const others = [...texts.matchAll(/\{\{\s*([A-Za-z_][\w-]*)\s*\}\}/g)].map(([, name = ""]) => name);
  const names = [...new Set([...inUrl, ...others])];
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  return { type: "object", properties, ...(inUrl.length > 0 ? { required: [...new Set(inUrl)] } : {}) };
}
