import type { Json } from "@/contracts/common";
import { canonicalJson } from "@/server/platform/canonical-json";
import type { AskedCall } from "./asked-call";

/** What a pattern is tried on; or why there is nothing to try it on. */
export type SeenText = { text: string } | { missing: string };

/**
 * The text that a rule's pattern sees of a call: the named argument, or else the tool's primary argument, or else all
 * arguments as canonical JSON. Strings are seen as they are, other values as canonical JSON.
 */
export function seenText({ tool, arguments: args }: Pick<AskedCall, "tool" | "arguments">, parameter: string | null): SeenText {
  const name = parameter ?? tool.primaryArgument;
  if (name === null) return { text: canonicalJson(args) };
  // The name may come from an admin and the arguments from a model: only their own members count.
  if (!Object.hasOwn(args, name)) return { missing: `the call has no argument \`${name}\`` };
  return { text: textOf(args[name] ?? null) };
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : canonicalJson(value);
}
