import type { Json } from "@/contracts/common";

const longest = 300;

/** Returns a call's arguments on one line, never empty: the primary argument's value, else all arguments as JSON. */
export function argumentLine(args: Json, primaryArgument: string | null): string {
  const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
  const primary = isObject && primaryArgument !== null && Object.hasOwn(args, primaryArgument) ? args[primaryArgument] : undefined;
  if (isObject && Object.keys(args).length === 0) return "No arguments";
  const text =
    typeof primary === "string" && primary.trim() !== "" ? primary : typeof args === "string" && args !== "" ? args : JSON.stringify(args);
  const line = text.trim().replaceAll(/\s*\n\s*/g, " ⏎ ");
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
