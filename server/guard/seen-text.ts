import type { Json, JsonObject } from "@/contracts/common";
import { canonicalJson } from "@/server/platform/canonical-json";
import type { AskedCall } from "./asked-call";
import { type FoundValue, valuesAt } from "./matching/argument-values";
import { rememberLatest } from "./remember-latest";

/** What a rule's patterns are tried on, one text after the other; or why there is nothing, as part of a sentence. */
export type SeenTexts = { texts: readonly SeenText[] } | { missing: string };

/** A text, and the names and indexes on the way to it; none to all arguments. */
export type SeenText = { text: string; path: readonly string[] };

/** Many rules look at the same arguments. */
const canonicalArguments = rememberLatest((args: JsonObject) => canonicalJson(args));

const everything: readonly string[] = [];

type Seeable = Pick<AskedCall, "tool" | "arguments">;

/**
 * The texts that a rule's patterns see of a call: those of the named argument, or else the tool's primary argument, or
 * else all arguments as canonical JSON. Strings are seen as they are, other values as canonical JSON.
 */
export function seenTexts({ tool, arguments: args }: Seeable, parameter: string | null): SeenTexts {
  const name = parameter ?? tool.primaryArgument;
  if (name === null) return { texts: [{ text: canonicalArguments(args), path: everything }] };
  const found = valuesAt(args, name);
  if ("missing" in found) return found;
  return { texts: found.values.map(seenAt) };
}

/** The same for showing it to people: several texts stand on lines of their own. */
export function seenText(call: Seeable, parameter: string | null): string {
  const seen = seenTexts(call, parameter);
  return "texts" in seen ? seen.texts.map(({ text }) => text).join("\n") : "";
}

const seenAt = ({ path, value }: FoundValue): SeenText => ({ text: textOf(value), path });

function textOf(value: Json): string {
  return typeof value === "string" ? value : canonicalJson(value);
}
