import type { Json } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { ModelToolCall } from "../model-request";
import { plainName } from "./plain-name";

/** Reads the calls of a block: an object or a list of objects with a name and arguments. Null for anything else. */
export function parseCalls(text: string, isCallable: (name: string) => boolean): ModelToolCall[] | null {
  const value = parsed(text);
  const written = Array.isArray(value) ? value : [value];
  const calls = written.flatMap((item) => toCall(item) ?? []);
  const areAll = calls.length > 0 && calls.length === written.length && calls.every(({ name }) => isCallable(name));
  return areAll ? calls : null;
}

/** Reads a call whose JSON is broken, so that the model learns what is wrong with it; null without a name. */
export function parseBrokenCall(text: string, isCallable: (name: string) => boolean): ModelToolCall | null {
  const name = /"(?:name|tool|function)"\s*:\s*"([^"\\]{1,200})"/.exec(text.slice(0, 10_000))?.[1];
  if (!name || !isCallable(plainName(name))) return null;
  const place = text.search(/"(?:arguments|parameters|args|input)"\s*:/);
  return { id: "", name: plainName(name), arguments: place < 0 ? text : text.slice(text.indexOf(":", place) + 1).trim() };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function toCall(item: Json | undefined): ModelToolCall | null {
  if (!isJsonObject(item)) return null;
  const inner = isJsonObject(item.function) ? item.function : item;
  const name = inner.name ?? inner.tool ?? inner.function ?? inner.tool_name;
  const given = inner.arguments ?? inner.parameters ?? inner.args ?? inner.input ?? {};
  if (typeof name !== "string" || name.trim() === "") return null;
  // An empty id gets one of ours when the reply is stored.
  return { id: "", name: plainName(name), arguments: typeof given === "string" ? given : JSON.stringify(given) };
}
