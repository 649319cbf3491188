import { parse as parseYaml } from "yaml";
import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { isDeeperThan, storableJson } from "@/server/mcp/connect/schemas/input-schema";
import { AppError } from "@/server/platform/errors";
import { findHiddenCharacters } from "@/server/tools/definitions/hidden-characters";

const maxYamlCharacters = 1_048_576;
const maxAliases = 100;
const maxAnchors = 500;
const maxDepth = 200;
const maxPointerParts = 20;

export type OpenApiDocument = {
  /** Without the characters that nobody sees. */
  root: JsonObject;
  is30: boolean;
  title: string;
  version: string;
  /** Kinds and numbers of the hidden characters that were removed. */
  hidden: ReadonlyMap<string, number>;
};

/** Reads an OpenAPI document of version 3.0 or 3.1, JSON or YAML. @throws AppError `invalid` with the reason */
export function readDocument(text: string): OpenApiDocument {
  const parsed = parse(text);
  if (isDeeperThan(parsed, maxDepth)) throw fault(`It is nested more than ${maxDepth} levels deep.`);
  const root = storableJson(parsed);
  if (!isJsonObject(root)) throw fault("It is not an object.");
  const version = textOf(root.openapi);
  if (!/^3\.[01](\.|$)/.test(version)) {
    const seen = version || textOf(root.swagger);
    throw fault(seen ? `It is of version ${seen.slice(0, 20)}: convert it to OpenAPI 3.0 or 3.1.` : 'It has no "openapi": "3.…".');
  }
  const info = isJsonObject(root.info) ? root.info : {};
  return {
    root,
    is30: version.startsWith("3.0"),
    title: textOf(info.title) || "API",
    version: textOf(info.version),
    // Searched after parsing, because a document may write the characters as escapes.
    hidden: findHiddenCharacters(JSON.stringify(parsed)),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    // No JSON, so perhaps YAML.
  }
  if (text.length > maxYamlCharacters) throw fault("It is no JSON, and YAML is read up to 1 MiB. Convert it to JSON.");
  // Parsing time grows with the square of the number of anchors.
  if ((text.match(/[\s[{,:-]&[\w-]+/g)?.length ?? 0) > maxAnchors) throw fault(`It has more than ${maxAnchors} YAML anchors.`);
  try {
    return parseYaml(text, { maxAliasCount: maxAliases, schema: "core", logLevel: "error" });
  } catch (error) {
    throw fault(`It is neither JSON nor YAML: ${error instanceof Error ? error.message.split("\n")[0] : "it cannot be read"}.`);
  }
}

const fault = (message: string) =>
  new AppError("invalid", `This OpenAPI document cannot be read. ${message}`, { errors: [{ path: "document", message }] });

/** Follows a `$ref` inside the document, also a chain of them; undefined when it leads nowhere or outside. */
export function followReference(root: JsonObject, value: Json | undefined): Json | undefined {
  let current = value;
  for (let hops = 0; hops < 10 && isJsonObject(current) && typeof current.$ref === "string"; hops += 1) {
    current = resolvePointer(root, current.$ref);
  }
  return isJsonObject(current) && typeof current.$ref === "string" ? undefined : current;
}

/** Returns the value at a local pointer (`#/components/schemas/Pet`); undefined for any other reference. */
export function resolvePointer(root: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith("#/")) return undefined;
  const parts = reference.slice(2).split("/");
  if (parts.length > maxPointerParts) return undefined;
  return parts.reduce<Json | undefined>((value, part) => {
    const name = decodePart(part);
    if (Array.isArray(value)) return value[Number(name)];
    return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, root);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return part;
  }
}

export const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");
export const objectsIn = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);
