import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";

/** One argument of a call, in the form that is easiest to read. */
export type ShownArgument = Named &
  (
    | Shape
    /** An HTTP request: its method and address. */
    | { kind: "request"; method: string; text: string }
    /** A text and its replacement. */
    | { kind: "edit"; before: string; after: string }
  );

type Named = { name: string /** The argument equals the default in the schema. */; isDefault: boolean };

type Shape =
  /** A command line; or a short value on one line: a path, an address, a number, a flag. */
  | { kind: "command" | "value"; text: string }
  /** A longer text, such as the content of a file. */
  | { kind: "text"; text: string; lines: number; bytes: number }
  /** A structure, shown as a tree. */
  | { kind: "json"; value: Json };

const commandNames = new Set(["command", "cmd", "script", "shell", "commandline", "command_line"]);
const textNames = new Set(["content", "contents", "text", "body", "code", "newtext", "oldtext", "new_text", "old_text", "patch", "diff"]);
const requestNames = new Set(["url", "uri", "endpoint"]);
/** Names of an editing tool's parameters for the old and the new text. */
const editNames: readonly (readonly [before: string, after: string])[] = [
  ["oldText", "newText"],
  ["old_text", "new_text"],
  ["old_string", "new_string"],
  ["old_str", "new_str"],
];
const maxValueChars = 120;

/**
 * Returns the arguments in reading order: the primary argument, then short values, then texts and structures. Each
 * group follows the order of the tool's schema, because the database keeps no order of members. No argument is left out
 * or changed.
 * @param schema the tool's input schema, for the order and the defaults
 */
export function toShownArguments(args: JsonObject, primaryArgument: string | null, schema?: JsonObject): ShownArgument[] {
  const properties = isJsonObject(schema?.properties) ? schema.properties : {};
  const order = parameterOrder(schema);
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const edit = editOf(args);
  const method = typeof args.method === "string" ? args.method.toUpperCase() : null;
  const isRequest = Object.entries(args).some(([name, value]) => isRequestAddress(name, value));
  const shown = Object.entries(args)
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .flatMap(([name, value]): ShownArgument[] => {
      const isDefault = name !== primaryArgument && isDefaultOf(properties[name], value);
      if (edit && name === edit.afterName) return [];
      if (edit && name === edit.name) return [{ name, isDefault: false, kind: "edit", before: edit.before, after: edit.after }];
      if (isRequestAddress(name, value)) return [{ name, isDefault: false, kind: "request", method: method ?? "GET", text: String(value) }];
      if (isRequest && name === "method" && method !== null) return [];
      return [{ name, isDefault, ...shapeOf(name, value, name === primaryArgument) }];
    });
  return shown.toSorted((a, b) => place(a, primaryArgument) - place(b, primaryArgument));
}

function shapeOf(name: string, value: Json, isPrimary: boolean): Shape {
  if (typeof value === "string") {
    if (commandNames.has(name.toLowerCase()) && (isPrimary || value.length > 0)) return { kind: "command", text: value };
    const isText = textNames.has(name.toLowerCase()) || value.includes("\n") || value.length > maxValueChars;
    return isText ? { kind: "text", text: value, lines: countLines(value), bytes: countBytes(value) } : { kind: "value", text: value };
  }
  if (value !== null && typeof value === "object") {
    const oneLine = JSON.stringify(value);
    return oneLine.length <= 60 && isFlat(value) ? { kind: "value", text: oneLine } : { kind: "json", value };
  }
  return { kind: "value", text: String(value) };
}

/** Returns the parameter names in the schema's order. Required names come first, because the database keeps only the order of lists. */
function parameterOrder(schema: JsonObject | undefined): string[] {
  const required = Array.isArray(schema?.required) ? schema.required.filter((name) => typeof name === "string") : [];
  return [...new Set([...required, ...(isJsonObject(schema?.properties) ? Object.keys(schema.properties) : [])])];
}

function editOf(args: JsonObject): { name: string; afterName: string; before: string; after: string } | null {
  for (const [name, afterName] of editNames) {
    const [before, after] = [args[name], args[afterName]];
    if (typeof before === "string" && typeof after === "string") return { name, afterName, before, after };
  }
  return null;
}

function isRequestAddress(name: string, value: Json): boolean {
  return requestNames.has(name.toLowerCase()) && typeof value === "string" && /^https?:\/\//i.test(value) && !value.includes("\n");
}

function isDefaultOf(property: Json | undefined, value: Json): boolean {
  return isJsonObject(property) && property.default !== undefined && JSON.stringify(property.default) === JSON.stringify(value);
}

function place(argument: ShownArgument, primaryArgument: string | null): number {
  if (argument.name === primaryArgument) return 0;
  return { command: 1, request: 1, value: 2, json: 3, edit: 4, text: 4 }[argument.kind];
}

function isFlat(value: object): boolean {
  return Object.values(value).every((member) => member === null || typeof member !== "object");
}

function countLines(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
}

function countBytes(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}
