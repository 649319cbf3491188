import {
  JSONRPC_VERSION,
  type JSONRPCErrorResponse,
  ProtocolError,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";

/** Levels of a message that are read: functions that walk through a deeper one would overflow the stack. */
export const maxMessageDepth = 500;

const beginning = "The server's answer is not of the MCP protocol: ";

/** A faulty answer needs no second parsing when it is large and begins as answers and requests do. */
const largeBytes = 65_536;
const headCharacters = 1_000;
const usualHead = /^(?=.*"jsonrpc"\s*:\s*"2\.0").*(?:"result"\s*:\s*\{|"method"\s*:)/s;

const nullMember = /"\s*:\s*null\b/;
const batchStart = /^(?:data:)?\s*\[/m;

/** Returns whether a large message begins as every message of the protocol does, and needs no repair. */
export function isUsualAnswer(message: Buffer): boolean {
  if (message.length <= largeBytes) return false;
  const head = message.toString("latin1", 0, headCharacters);
  const tail = message.toString("latin1", message.length - headCharacters);
  if (!usualHead.test(head) || batchStart.test(head)) return false;
  return !nullMember.test(head) && !nullMember.test(tail) && !mayBeDeep(message);
}

/** Returns whether a message may be nested too deep: without so many brackets, in texts or not, it cannot be. */
export function mayBeDeep(message: Buffer): boolean {
  let seen = 0;
  for (const opening of ["[", "{"]) {
    for (let place = message.indexOf(opening); place !== -1; place = message.indexOf(opening, place + 1)) {
      seen += 1;
      if (seen > maxMessageDepth) return true;
    }
  }
  return false;
}

/**
 * Returns the error that ends the request of an answer which is no message of the protocol; null for other messages. The SDK drops
 * such an answer, and its request would wait until its time is up.
 */
export function answerFault(value: unknown): JSONRPCErrorResponse | null {
  if (!isJsonObject(value) || "method" in value) return null;
  // A line of a program's log may have an id, too.
  if (!["jsonrpc", "result", "error"].some((member) => member in value) || isMessage(value)) return null;
  return faultyAnswer(value, whyRefused(value));
}

/** Returns the error that ends the request of a faulty answer; null for a message that answers none. */
export function faultyAnswer(value: unknown, why: string): JSONRPCErrorResponse | null {
  if (!isJsonObject(value) || "method" in value) return null;
  const { id } = value;
  const isId = (typeof id === "number" && Number.isSafeInteger(id)) || (typeof id === "string" && /^\d{1,15}$/.test(id));
  if (!isId) return null;
  return { jsonrpc: JSONRPC_VERSION, id: Number(id), error: { code: ProtocolErrorCode.InternalError, message: `${beginning}${why}.` } };
}

/** Makes a request fail in our words when its answer's body is no message: the SDK's parsers say nothing about the server. */
export function explainBodies(transport: Transport): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) =>
    send(message, options).catch((error) => {
      const why = error instanceof z.ZodError ? "it is no JSON-RPC message" : error instanceof SyntaxError ? "it is not JSON" : null;
      throw why === null ? error : new ProtocolError(ProtocolErrorCode.InternalError, `${beginning}${why}.`);
    });
}

/** Returns the part of such an error's message that says what is wrong with the answer; null for other messages. */
export const faultIn = (message: string): string | null => (message.startsWith(beginning) ? message.slice(beginning.length) : null);

function isMessage(value: JsonObject): boolean {
  try {
    parseJSONRPCMessage(value);
    return true;
  } catch {
    return false;
  }
}

function whyRefused(value: JsonObject): string {
  const { jsonrpc, result, error } = value;
  if (error !== undefined && error !== null) {
    const isError = isJsonObject(error) && Number.isSafeInteger(error.code) && typeof error.message === "string";
    return isError ? "it is no JSON-RPC message" : "its error has no code and message";
  }
  if (!("result" in value)) return "it has neither a result nor an error";
  if (!isJsonObject(result)) return `its result is ${kindOf(result)} and no object`;
  return jsonrpc === JSONRPC_VERSION ? "it is no JSON-RPC message" : 'it does not say "jsonrpc": "2.0"';
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "string" ? "a text" : `a ${typeof value}`;
}
