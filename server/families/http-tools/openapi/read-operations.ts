import { createHash } from "node:crypto";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { type HttpMethod, httpMethods } from "@/contracts/tools/http-tools";
import { cleanLine, cleanText } from "@/server/mcp/connect/text/clean-text";
import type { RequestTemplate } from "../build-request";
import type { Budget } from "./inline-schema";
import { followReference, type OpenApiDocument, textOf } from "./read-document";
import { readRequest } from "./read-request";

/** An operation of a document as a tool; its address is a path that follows the base address. */
export type ReadOperation = {
  operation: string;
  name: string;
  title: string;
  description: string;
  method: HttpMethod;
  inputSchema: JsonObject;
  request: Omit<RequestTemplate, "url"> & { path: string };
  deprecated: boolean;
  refusal: string | null;
  notes: string[];
};

const maxOperations = 1_000;
const maxNodes = 400_000;
const maxNodesOfOne = 4_000;
const maxNameCharacters = 64;

/** Reads the operations of a document, in its order. Yields after each, so that a large document does not block the event loop. */
export async function readOperations(document: OpenApiDocument, api: string): Promise<{ operations: ReadOperation[]; notes: string[] }> {
  const found = operationsIn(document);
  const notes = found.length > maxOperations ? [`The document has ${found.length} operations. The first ${maxOperations} are shown.`] : [];
  const total = { nodes: maxNodes };
  const names = new Set<string>();
  const operations: ReadOperation[] = [];
  for (const place of found.slice(0, maxOperations)) {
    const budget: Budget = { nodes: Math.min(maxNodesOfOne, total.nodes) };
    const before = budget.nodes;
    operations.push(readOperation(document, place, freeName(names, api, place), budget));
    total.nodes -= before - Math.max(0, budget.nodes);
    await yieldToEventLoop();
  }
  return { operations, notes };
}

type Place = { method: HttpMethod; path: string; item: JsonObject; operation: JsonObject };

function operationsIn({ root }: OpenApiDocument): Place[] {
  return Object.entries(isJsonObject(root.paths) ? root.paths : {}).flatMap(([path, value]) => {
    const item = followReference(root, value);
    if (!isJsonObject(item) || !path.startsWith("/")) return [];
    return httpMethods.flatMap((method) => {
      const operation = item[method.toLowerCase()];
      return isJsonObject(operation) ? [{ method, path, item, operation }] : [];
    });
  });
}

function readOperation(document: OpenApiDocument, place: Place, name: string, budget: Budget): ReadOperation {
  const { method, path, operation } = place;
  const notes = new Set<string>();
  const { inputSchema, request, refusal } = readRequest(document, place, budget, notes);
  const summary = cleanLine(textOf(operation.summary), 120);
  const words = [summary, textOf(operation.description)].filter(Boolean).join(". ");
  return {
    operation: `${method} ${path}`,
    name,
    title: summary || `${method} ${path}`.slice(0, 120),
    description: cleanText(words || `${method} ${path}`, 1_000),
    method,
    inputSchema,
    request,
    deprecated: operation.deprecated === true,
    refusal,
    notes: [...notes],
  };
}

/** Names an operation's tool by its operationId, else by method and path: `listPets` of `petstore` is `petstore_list_pets`. */
function freeName(taken: Set<string>, api: string, { method, path, operation }: Place): string {
  const words = snakeCase(textOf(operation.operationId)) || snakeCase(`${method.toLowerCase()} ${path}`);
  const plain = `${api}_${words}`;
  let name = plain;
  if (plain.length > maxNameCharacters || taken.has(plain)) {
    const suffix = createHash("sha256").update(`${method} ${path}`).digest("hex").slice(0, 6);
    name = `${plain.slice(0, maxNameCharacters - 7).replace(/_+$/, "")}_${suffix}`;
  }
  taken.add(name);
  return name;
}

/** Returns a text as words in small letters with one underscore between two. */
export function snakeCase(text: string): string {
  return text
    .slice(0, 500)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_|_$/g, "")
    .toLowerCase();
}

/** Returns the names of the credentials that an API asks for, in words. */
export function securityWords({ root }: OpenApiDocument): string[] {
  const components = isJsonObject(root.components) ? root.components : {};
  const schemes = isJsonObject(components.securitySchemes) ? components.securitySchemes : {};
  return Object.values(schemes)
    .slice(0, 20)
    .flatMap((value: Json) => {
      const scheme = followReference(root, value);
      return isJsonObject(scheme) ? [wordsOf(scheme)] : [];
    });
}

function wordsOf(scheme: JsonObject): string {
  const name = cleanLine(textOf(scheme.name), 100);
  if (scheme.type === "apiKey")
    return `an API key in the ${scheme.in === "query" ? "query parameter" : scheme.in === "cookie" ? "cookie" : "header"} ${name}`;
  if (scheme.type === "http")
    return textOf(scheme.scheme).toLowerCase() === "basic" ? "a user name and password (basic)" : "a bearer token";
  if (scheme.type === "oauth2" || scheme.type === "openIdConnect") return "an OAuth access token (bearer)";
  return cleanLine(textOf(scheme.type), 100) || "a credential";
}

/** Returns the addresses that a document names, with the defaults of their variables. */
export function serversIn({ root }: OpenApiDocument): string[] {
  const servers = Array.isArray(root.servers) ? root.servers.filter(isJsonObject) : [];
  const urls = servers.slice(0, 20).map((server) => {
    const variables = isJsonObject(server.variables) ? server.variables : {};
    return textOf(server.url).replace(/\{([^{}]{1,100})\}/g, (_found, name: string) => {
      const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
      return isJsonObject(variable) ? textOf(variable.default) : "";
    });
  });
  return [...new Set(urls.filter((url) => /^https?:\/\//i.test(url) && URL.canParse(url)))];
}
