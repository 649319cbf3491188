import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { isDeeperThan, storableJson } from "../schemas/input-schema";

const maxCharacters = 262_144;
const maxDepth = 20;
/** Keys of one connection only: those of the protocol's envelope, of its progress and of its trace. */
const ofTransport = new Set(["progressToken", "traceparent", "tracestate", "baggage"]);
const ownPrefixes = ["io.modelcontextprotocol/", "handrail/"];

/**
 * Returns the members of a `_meta` that are meant for the program at the other end: without those of the transport and
 * Handrail's own. Null without any, and for one that is too large or too deep.
 */
export function passedMeta(meta: unknown): JsonObject | null {
  if (!isJsonObject(meta) || isDeeperThan(meta, maxDepth)) return null;
  const passed = Object.entries(meta).filter(([key]) => !ofTransport.has(key) && !ownPrefixes.some((prefix) => key.startsWith(prefix)));
  if (passed.length === 0 || JSON.stringify(passed).length > maxCharacters) return null;
  const stored = storableJson(Object.fromEntries(passed));
  return isJsonObject(stored) ? stored : null;
}
