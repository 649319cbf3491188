import "server-only";
import type { z } from "zod";
import type { Endpoint } from "@/contracts/endpoint";
import { readRequestBytes } from "@/server/endpoints/read-request-bytes";
import { unstorablePlace } from "@/server/platform/database/storable";
import { AppError, type FieldError } from "@/server/platform/errors";
import { fieldErrors } from "@/server/platform/field-errors";
import { parseExactJson } from "@/server/platform/formats/exact-json";
import { inspectJson, maxBodyDepth, placeOfPrototypeKey } from "@/server/platform/formats/json-shape";
import { nearestName } from "@/server/tools/nearest-name";

const defaultMaxBodyBytes = 1_048_576;
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads and parses the path, query and body of a request. Only errors from here may blame the caller's input. */
export async function readInput(
  endpoint: Endpoint,
  request: Request,
  params: Record<string, string | string[] | undefined>,
): Promise<{ params: unknown; query: unknown; body: unknown }> {
  const query = readQuery(endpoint, request);
  return {
    params: endpoint.params ? parsePath(endpoint.params, params) : undefined,
    query,
    body: endpoint.body ? await readBody(endpoint.body, request, endpoint) : undefined,
  };
}

function readQuery(endpoint: Endpoint, request: Request): unknown {
  const words = queryOf(request);
  if (!endpoint.queryIsForeign) refuseUnknownWords(endpoint, Object.keys(words));
  return endpoint.query ? parseOrRefuse(endpoint.query, words, { place: "query" }) : undefined;
}

/** @throws AppError `invalid` that names each unknown word of the query, the nearest known one, and all known ones */
function refuseUnknownWords({ query }: Pick<Endpoint, "query">, words: readonly string[]): void {
  const known = query ? Object.keys(query.shape) : [];
  const unknown = words.filter((word) => !known.includes(word));
  const [first] = unknown;
  if (first === undefined) return;
  const knownWords = known.length === 0 ? "This endpoint takes no query words." : `The words are ${known.join(", ")}.`;
  const errors = unknown.map((word) => {
    const nearest = nearestName(word, known);
    return { path: word, message: `unknown query word.${nearest ? ` Did you mean ${nearest}?` : ""} ${knownWords}` };
  });
  throw new AppError("invalid", `The query is not valid: ${first}: ${errors[0]?.message}`, { errors });
}

function parsePath(schema: z.ZodType, params: unknown): unknown {
  const parsed = unstorablePlace(params) ? { success: false as const } : schema.safeParse(params);
  // A malformed id is not found, like an unknown id.
  if (!parsed.success) throw new AppError("not_found", "There is nothing under this id. Check the address.");
  return parsed.data;
}

function parseOrRefuse(
  schema: z.ZodType,
  value: unknown,
  { place, memberCodes = {} }: { place: "query" | "body"; memberCodes?: Endpoint["memberCodes"] },
): unknown {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const errors = fieldErrors(parsed.error);
  const first = errors[0];
  const code =
    first && errors.every(({ path }) => path === first.path) && Object.hasOwn(memberCodes, first.path) && memberCodes[first.path];
  if (code) throw new AppError(code, first.message, { errors });
  throw new AppError("invalid", `The ${place} is not valid: ${describeErrors(errors)}`, { errors });
}

/** At most this many fields are named in the sentence; `errors` has all of them. */
const maxNamedFields = 10;

function describeErrors(errors: readonly FieldError[]): string {
  const named = errors.slice(0, maxNamedFields).map(({ path, message }) => (path ? `${path}: ${message}` : message));
  const more = errors.length > maxNamedFields ? [`and ${errors.length - maxNamedFields} more`] : [];
  return [...named, ...more].join("; ") || "it does not fit";
}

function queryOf(request: Request): Record<string, string> {
  if (!request.url.includes("?")) return {};
  // A Map, because words such as "toString" or "__proto__" are inherited members of every object.
  const query = new Map<string, string>();
  for (const [name, value] of new URL(request.url).searchParams) {
    if (query.has(name)) throw new AppError("malformed", `The query names ${name} more than once. Send it once.`);
    query.set(name, value);
  }
  const words = Object.fromEntries(query);
  refuseUnstorable(words, "query");
  return words;
}

/** In UTF-8 JSON, unstorable text needs an escape. Testing the raw text spares most bodies the walk. */
const unstorableEscape = /\\u(?:0000|[dD][89a-fA-F])/;

/** @throws AppError `invalid` with the path of a text that the database cannot store unchanged. */
function refuseUnstorable(value: unknown, where: "query" | "body"): void {
  const place = unstorablePlace(value);
  if (!place) return;
  throw refusalAt(place.join("."), "must not hold a NUL character or half of a surrogate pair", where);
}

/**
 * Refuses a `__proto__` member that parsing dropped, because the stored body would differ from the sent body. A member
 * that parsing kept, as in a model's texts, is handled by the code that uses the texts.
 * @throws AppError `invalid` with the path of the member
 */
function refuseLostPrototypeKeys(sent: unknown, kept: unknown): void {
  for (const [name, member] of Object.entries(sent ?? {})) {
    const isPrototypeKey = name === "__proto__";
    const place = isPrototypeKey ? [] : placeOfPrototypeKey(member);
    if (place && (isPrototypeKey || !placeOfPrototypeKey(Object(kept)[name]))) {
      throw refusalAt([name, ...place].join("."), "no member may be called __proto__", "body");
    }
  }
}

function refusalAt(path: string, message: string, where: "query" | "body"): AppError {
  return new AppError("invalid", `The ${where} is not valid: ${path === "" ? "" : `${path}: `}${message}`, { errors: [{ path, message }] });
}

/** Returns the body without the fields that a model wrote; the code that uses those fields handles them. */
function ownTexts(body: unknown, { modelTexts }: Pick<Endpoint, "modelTexts">): unknown {
  if (!modelTexts || typeof body !== "object" || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !modelTexts.includes(name)));
}

async function readBody(schema: z.ZodType, request: Request, endpoint: Endpoint): Promise<unknown> {
  const { body, hasPrototypeKey } = await readJson(request, endpoint);
  const { memberCodes } = endpoint;
  const kept = parseOrRefuse(schema, body, { place: "body", ...(memberCodes ? { memberCodes } : {}) });
  if (hasPrototypeKey) refuseLostPrototypeKeys(body, kept);
  return kept;
}

/** Reads a JSON-RPC body, whose `params` are a model's texts. @throws AppError `malformed`, `invalid`, `too_large` */
export async function readJsonBody(request: Request): Promise<unknown> {
  return (await readJson(request, { modelTexts: ["params"] })).body;
}

async function readJson(
  request: Request,
  endpoint: Pick<Endpoint, "maxBodyBytes" | "modelTexts">,
): Promise<{ body: unknown; hasPrototypeKey: boolean }> {
  const bytes = await readRequestBytes(request, endpoint.maxBodyBytes ?? defaultMaxBodyBytes);
  if (bytes.byteLength === 0) throw new AppError("malformed", "The body is empty. Send a JSON object.");
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new AppError("malformed", "The body is not valid UTF-8. Send JSON encoded as UTF-8.");
  }
  let body: unknown;
  try {
    body = parseExactJson(text);
  } catch (error) {
    throw new AppError("malformed", `The body is not valid JSON: ${error instanceof Error ? error.message : "it cannot be parsed"}`);
  }
  const { depth, hasPrototypeKey } = inspectJson(body);
  if (depth > maxBodyDepth) throw new AppError("invalid", `The body is nested deeper than ${maxBodyDepth} levels. Send a flatter one.`);
  if (unstorableEscape.test(text)) refuseUnstorable(ownTexts(body, endpoint), "body");
  return { body, hasPrototypeKey };
}
