import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { HttpMethod } from "@/contracts/tools/http-tools";
import { headersFault } from "@/server/capabilities/network/guarded-http";
import { cleanLine } from "@/server/mcp/connect/text/clean-text";
import type { RequestTemplate } from "../build-request";
import { type Budget, inlineSchema } from "./inline-schema";
import { followReference, type OpenApiDocument, objectsIn, textOf } from "./read-document";

type Place = { method: HttpMethod; path: string; item: JsonObject; operation: JsonObject };
type ReadRequest = { inputSchema: JsonObject; request: Omit<RequestTemplate, "url"> & { path: string }; refusal: string | null };
type Body = { schema: JsonObject; type: RequestTemplate["bodyType"]; isRequired: boolean; description: string };

/** Headers that the specification takes from elsewhere. */
const ignoredHeaders = new Set(["accept", "content-type", "authorization"]);
const bodyTypes: readonly (readonly [RegExp, RequestTemplate["bodyType"]])[] = [
  [/^application\/(?:[\w.+-]+\+)?json\b/i, "json"],
  [/^application\/x-www-form-urlencoded\b/i, "form"],
  [/^text\//i, "text"],
];

/** Reads the parameters and the body of an operation as one schema of arguments, and the request that takes them. */
export function readRequest(document: OpenApiDocument, place: Place, budget: Budget, notes: Set<string>): ReadRequest {
  const { method, path, item, operation } = place;
  const request: ReadRequest["request"] = {
    method,
    path,
    query: {},
    headers: { accept: "application/json, */*;q=0.5" },
    bodyTemplate: null,
    bodyType: "json",
    commaLists: [],
  };
  const properties: JsonObject = {};
  const required: string[] = [];
  const add = (wanted: string, schema: JsonObject, isRequired: boolean): string => {
    const name = freeArgument(properties, wanted);
    properties[name] = schema;
    if (isRequired) required.push(name);
    return name;
  };
  const inPath = new Map<string, string>();
  for (const parameter of parametersOf(document, item, operation)) {
    const name = textOf(parameter.name);
    const schema = () => withDescription(schemaOf(document, parameter, budget, notes), textOf(parameter.description));
    if (parameter.in === "path") inPath.set(name, add(name, schema(), true));
    else if (parameter.in === "query") {
      request.query[name] = `{{${add(name, schema(), parameter.required === true)}}}`;
      if (parameter.explode === false) request.commaLists.push(name);
      if (/Delimited$/.test(textOf(parameter.style))) notes.add(`${cleanLine(name, 100)} is sent as repeated parameters.`);
    } else if (parameter.in === "header") {
      if (ignoredHeaders.has(name.toLowerCase())) continue;
      if (headersFault({ [name]: "x" }))
        notes.add(`The header ${cleanLine(name, 100)} is left out: a credential belongs into an auth profile.`);
      else request.headers[name] = `{{${add(name, schema(), parameter.required === true)}}}`;
    } else notes.add(`${cleanLine(name, 100)} is left out, because it is a cookie.`);
  }
  request.path = path.replace(/\{([^{}/]+)\}/g, (_found, name: string) => {
    return `{${inPath.get(name) ?? add(name, { type: "string" }, true)}}`;
  });
  const read = readBody(document, operation, budget, notes);
  const takesBody = method === "POST" || method === "PUT" || method === "PATCH";
  if (read.body && !takesBody) notes.add(`Its body is left out, because ${method} requests have none here.`);
  if (read.body && takesBody) {
    const { schema, type, isRequired, description } = read.body;
    request.bodyTemplate = `{{${add("body", withDescription(schema, description), isRequired)}}}`;
    request.bodyType = type;
  }
  const inputSchema: JsonObject = { type: "object", properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false };
  const pathFault = /[{}]/.test(request.path.replace(/\{[A-Za-z_][\w-]*\}/g, "")) ? "Its path has braces that are no parameter." : null;
  return { inputSchema, request, refusal: pathFault ?? (takesBody ? read.refusal : null) };
}

/** Returns the parameters of the operation and those of its path that it does not declare again. */
function parametersOf({ root }: OpenApiDocument, item: JsonObject, operation: JsonObject): JsonObject[] {
  const all = [...objectsIn(item.parameters), ...objectsIn(operation.parameters)]
    .map((value) => followReference(root, value))
    .filter(isJsonObject);
  return [
    ...new Map(all.filter(({ name }) => textOf(name) !== "").map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values(),
  ].slice(0, 100);
}

function schemaOf(document: OpenApiDocument, parameter: JsonObject, budget: Budget, notes: Set<string>): JsonObject {
  const [content] = Object.values(isJsonObject(parameter.content) ? parameter.content : {});
  const schema = parameter.schema ?? (isJsonObject(content) ? content.schema : undefined);
  return schema === undefined ? { type: "string" } : inlineSchema(document, schema, budget, notes);
}

function readBody(
  document: OpenApiDocument,
  { requestBody }: JsonObject,
  budget: Budget,
  notes: Set<string>,
): { body: Body | null; refusal: string | null } {
  const body = followReference(document.root, requestBody);
  if (requestBody === undefined) return { body: null, refusal: null };
  if (!isJsonObject(body)) return { body: null, refusal: "Its body is described outside the document." };
  const contents = Object.entries(isJsonObject(body.content) ? body.content : {});
  for (const [pattern, type] of bodyTypes) {
    const found = contents.find(([mediaType]) => pattern.test(mediaType));
    if (!found) continue;
    const schema = inlineSchema(document, isJsonObject(found[1]) ? found[1].schema : undefined, budget, notes);
    return { body: { schema, type, isRequired: body.required === true, description: textOf(body.description) }, refusal: null };
  }
  const types = contents.map(([mediaType]) => cleanLine(mediaType, 60)).join(", ");
  if (body.required === true && types !== "") return { body: null, refusal: `It sends ${types}, which HTTP tools cannot.` };
  if (types !== "") notes.add(`Its body (${types}) is left out.`);
  return { body: null, refusal: null };
}

function withDescription(schema: JsonObject, description: string): JsonObject {
  return description === "" || typeof schema.description === "string" ? schema : { ...schema, description: cleanLine(description, 500) };
}

/** Returns a name that arguments can have, and that none has yet: `X-Page` and `page` stay apart. */
function freeArgument(properties: Record<string, Json>, wanted: string): string {
  const cleaned = wanted.replace(/[^\w-]+/g, "_").slice(0, 60);
  const plain = /^[A-Za-z_]/.test(cleaned) && cleaned !== "__proto__" ? cleaned : `p_${cleaned}`;
  let name = plain;
  for (let place = 2; Object.hasOwn(properties, name); place += 1) name = `${plain}_${place}`;
  return name;
}
