import { isJsonObject, readJson } from "@/components/kit/api/read-json";
import type { JsonObject } from "@/contracts/common";
import type { RunMessage } from "@/contracts/runs/runs";

/** A call as the model wrote it. */
export type AskedCall = RunMessage["toolCalls"][number];

const longest = 120;

/** Parses the arguments of a call as the model wrote them; null when they are no JSON object. */
export function parsedArguments(text: string): JsonObject | null {
  const value = readJson(text);
  return isJsonObject(value) ? value : null;
}

/** Returns what a call is about, on one line: its primary argument, else its first text. */
export function callSummary(args: JsonObject | null, primaryArgument: string | null): string {
  if (!args) return "";
  const primary = primaryArgument === null ? undefined : args[primaryArgument];
  const value = primary ?? Object.values(args).find((member) => typeof member === "string");
  if (value === undefined || value === null) return "";
  const line = (typeof value === "string" ? value : JSON.stringify(value)).replace(/\s+/g, " ").trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
