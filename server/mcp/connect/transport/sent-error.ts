import type { JSONRPCMessage, ProtocolError } from "@modelcontextprotocol/client";
import type { Json } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { isDeeperThan, storableJson } from "../schemas/input-schema";

/** Code of a missing resource in the revisions up to 2025-11-25. */
export const resourceNotFound = -32_002;
const keptKey = "handrail/sent";
const maxCharacters = 4_000;
const maxDepth = 20;

/** Keeps the data of an error apart that the SDK would read as its own kind of error, with another code and only a part of the data. */
export function keepError(message: JSONRPCMessage): JSONRPCMessage {
  if (!("error" in message) || message.error.code !== resourceNotFound || message.error.data === undefined) return message;
  return { ...message, error: { ...message.error, data: { [keptKey]: message.error.data } } };
}

/** Returns the data of a server's error, fit to be stored; undefined for none, and for data that is too long or too deep. */
export function sentData({ data }: ProtocolError): Json | undefined {
  const sent = isJsonObject(data) && keptKey in data ? data[keptKey] : data;
  if (sent === undefined || isDeeperThan(sent, maxDepth)) return undefined;
  const stored = storableJson(sent) as Json;
  return JSON.stringify(stored).length > maxCharacters ? undefined : stored;
}
