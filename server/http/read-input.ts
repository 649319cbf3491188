import "server-only";
import type { z } from "zod";
import type { Endpoint } from "@/contracts/endpoint";
import { AppError, type FieldError, isAppError } from "@/server/platform/errors";
import { maxBodyDepth, placeOfPrototypeKey, shapeOf } from "@/server/platform/json-shape";
import { unstorablePlace } from "@/server/platform/storable";

const defaultMaxBodyBytes = 1_048_576;
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads and parses what a request carries. Only here may an error say that the caller is at fault. */
export async function readInput(
  endpoint: Endpoint,
  request: Request,
  params: Record<string, string | string[] | undefined>,
): Promise<{ params: unknown; query: unknown; body: unknown }> {
  return {
    params: endpoint.params ? parsePath(endpoint.params, params) : undefined,
    query: endpoint.query ? parseOrRefuse(endpoint.query, queryOf(request), "query") : undefined,
    body: endpoint.body ? await readBody(endpoint.body, request, endpoint) : undefined,
  };
}

function parsePath(schema: z.ZodType, params: unknown): unknown {
  const parsed = unstorablePlace(params) ? { success: false as const } : schema.safeParse(params);
  // An id that cannot be one names nothing, like an id that is not there.
  if (!parsed.success) throw new AppError("not_found", "There is nothing under this id. Check the address.");
  return parsed.data;
}

function parseOrRefuse(schema: z.ZodType, value: unknown, place: "query" | "body"): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors: FieldError[] = parsed.error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message }));
  const first = errors[0];
  const only400 = parsed.error.issues.every(({ message }) => message === "tier must be 'core' or 'extension'");
  if (only400 && first) throw new AppError("invalid_tier", first.message, { errors });
  const where = first?.path ? `${first.path}: ${first.message}` : (first?.message ?? "it does not fit");
  throw new AppError("invalid", `The ${place} is not valid: ${where}`, { errors });
}

function queryOf(request: Request): Record<string, string> {
  const query: Record<string, string> = {};
  if (!request.url.includes("?")) return query;
  for (const [name, value] of new URL(request.url).searchParams) {
    if (name in query) throw new AppError("malformed", `The query names ${name} more than once. Send it once.`);
    query[name] = value;
  }
  refuseUnstorable(query, "query");
  return query;
}

/** Only an escape brings such a text through JSON in UTF-8: a look at the text spares the walk through most bodies. */
const unstorableEscape = /\\u(?:0000|[dD][89a-fA-F])/;

/** @throws AppError `invalid` with the place of a text that the database cannot hold as it is. */
function refuseUnstorable(value: unknown, where: "query" | "body"): void {
  const place = unstorablePlace(value);
  if (!place) return;
  throw refusalAt(place.join("."), "must not hold a NUL character or half of a surrogate pair", where);
}

/**
 * Records of any names leave a member called `__proto__` out: what was sent would not be what is kept. Where it is kept, as in
 * what a model wrote, it is dealt with by who uses it.
 * @throws AppError `invalid` with its place
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

/** Everything but what a model wrote, which is dealt with where it is used. */
function ownTexts(body: unknown, { modelTexts }: Endpoint): unknown {
  if (!modelTexts || typeof body !== "object" || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !modelTexts.includes(name)));
}

async function readBody(schema: z.ZodType, request: Request, endpoint: Endpoint): Promise<unknown> {
  const { body, hasPrototypeKey } = await readJson(request, endpoint);
  const kept = parseOrRefuse(schema, body, "body");
  if (hasPrototypeKey) refuseLostPrototypeKeys(body, kept);
  return kept;
}

async function readJson(request: Request, endpoint: Endpoint): Promise<{ body: unknown; hasPrototypeKey: boolean }> {
  const bytes = await readBytes(request, endpoint.maxBodyBytes ?? defaultMaxBodyBytes);
  if (bytes.byteLength === 0) throw new AppError("malformed", "The body is empty. Send a JSON object.");
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new AppError("malformed", "The body is not valid UTF-8. Send JSON encoded as UTF-8.");
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new AppError("malformed", `The body is not valid JSON: ${error instanceof Error ? error.message : "it cannot be parsed"}`);
  }
  const { depth, hasPrototypeKey } = shapeOf(body);
  if (depth > maxBodyDepth) throw new AppError("invalid", `The body is nested deeper than ${maxBodyDepth} levels. Send a flatter one.`);
  if (unstorableEscape.test(text)) refuseUnstorable(ownTexts(body, endpoint), "body");
  return { body, hasPrototypeKey };
}

/** A body of known size is read at once; one that comes in pieces is counted while it comes. */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const length = request.headers.get("content-length");
  if (Number(length ?? 0) > maxBytes) throw tooLarge(maxBytes);
  try {
    return length === null ? await readPieces(request, maxBytes) : await request.bytes();
  } catch (error) {
    if (isAppError(error)) throw error;
    throw new AppError("malformed", "The body ended before it was complete. Send it again.", { cause: error });
  }
}

async function readPieces(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    length += piece.value.byteLength;
    if (length > maxBytes) {
      void reader.cancel().catch(() => {});
      throw tooLarge(maxBytes);
    }
    pieces.push(piece.value);
  }
  return Buffer.concat(pieces);
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("too_large", `The body is larger than ${maxBytes.toLocaleString("en")} bytes. Send less, or in several requests.`);
}
