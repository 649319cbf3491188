import { AppError } from "@/server/platform/errors";
import { memberAt, missing, pointerOf, startOf } from "./json-place";
import { JsonText } from "./json-text";

/** Returns the text with a value set at a place. Everything else stays as written; missing objects on the way are made. */
export function setJson(path: string, text: string, segments: readonly string[], value: unknown): string {
  const json = new JsonText(path, text);
  const indent = indentOf(text);
  json.assertValid();
  let start = json.start();
  for (const [depth, segment] of segments.entries()) {
    const member = memberAt(json, start, segment);
    if (member) {
      start = member.start;
      continue;
    }
    const kind = json.kindAt(start);
    const isAppended = kind === "list" && (segment === "-" || segment === String([...json.members(start)].length));
    if (kind !== "object" && !isAppended) throw missing(json, start, segments.slice(0, depth), segment);
    const made = segments.slice(depth + 1).reduceRight<unknown>((inner, name) => {
      if (name === "-" || /^\d+$/.test(name)) {
        throw new AppError(
          "not_found",
          `${pointerOf(segments.slice(0, depth + 1))} does not exist in ${path}. Write the list there first.`,
        );
      }
      return Object.fromEntries([[name, inner]]);
    }, value);
    return insert(json, start, kind === "object" ? segment : null, made, indent);
  }
  return splice(text, start, json.endOf(start), print(value, indent, lineIndentAt(text, start), text));
}

/** Returns the text without the member or element at a place. */
export function removeJson(path: string, text: string, segments: readonly string[]): string {
  const json = new JsonText(path, text);
  json.assertValid();
  let start = json.start();
  const last = segments.at(-1);
  if (last === undefined) throw new AppError("invalid", "pointer names the whole document, which cannot be removed. Name a member.");
  for (const [depth, segment] of segments.slice(0, -1).entries()) {
    const member = memberAt(json, start, segment);
    if (!member) throw missing(json, start, segments.slice(0, depth), segment);
    start = member.start;
  }
  const members = [...(["object", "list"].includes(json.kindAt(start)) ? json.members(start) : [])];
  const index = members.findLastIndex(({ name }) => String(name) === last);
  const [before, member, after] = [members[index - 1], members[index], members[index + 1]];
  if (!member) throw missing(json, start, segments.slice(0, -1), last);
  if (after) return splice(text, member.nameStart, after.nameStart, "");
  if (before) return splice(text, before.end, member.end, "");
  return splice(text, start + 1, json.endOf(start) - 1, "");
}

/** Returns the text with a new element in front of the element `index` of the list at a place. */
export function insertJson(path: string, text: string, segments: readonly string[], index: number, value: unknown): string {
  const json = new JsonText(path, text);
  const start = startOf(json, segments);
  const next = [...json.members(start)][index];
  if (!next) return setJson(path, text, [...segments, "-"], value);
  const inner = lineIndentAt(text, next.start);
  const indent = indentOf(text);
  const isAtLineStart = text.lastIndexOf("\n", next.start) + 1 + inner.length === next.start;
  return splice(text, next.start, next.start, `${print(value, indent, inner, text)},${isAtLineStart ? eolOf(text) + inner : " "}`);
}

function insert(json: JsonText, start: number, name: string | null, value: unknown, indent: string): string {
  const { text } = json;
  const last = [...json.members(start)].at(-1);
  const label = name === null ? "" : `${JSON.stringify(name)}:${indent === "" ? "" : " "}`;
  const isOnOneLine = last !== undefined && !text.slice(start, last.nameStart).includes("\n");
  if (last && isOnOneLine) return splice(text, last.end, last.end, `,${indent === "" ? "" : " "}${label}${print(value, "", "", text)}`);
  const outer = lineIndentAt(text, start);
  const inner = last ? lineIndentAt(text, last.nameStart) : outer + indent;
  const eol = indent === "" ? "" : eolOf(text);
  const member = `${eol}${inner}${label}${print(value, indent, inner, text)}`;
  return last ? splice(text, last.end, last.end, `,${member}`) : splice(text, start + 1, json.endOf(start) - 1, `${member}${eol}${outer}`);
}

/** Writes a value as JSON whose further lines stand at the indentation of its place. */
function print(value: unknown, indent: string, outer: string, text: string): string {
  const json = JSON.stringify(value, null, indent);
  return indent === "" ? json : json.replaceAll("\n", `${eolOf(text)}${outer}`);
}

const splice = (text: string, start: number, end: number, put: string): string => text.slice(0, start) + put + text.slice(end);
const eolOf = (text: string): string => (/\r\n/.test(text) ? "\r\n" : "\n");

/** Returns the indentation of one level; empty for a text on one line. */
function indentOf(text: string): string {
  const found = /\n([ \t]+)\S/.exec(text.slice(0, 100_000))?.[1];
  return found ?? (text.trim().includes("\n") || /^\s*(?:\{\s*\}|\[\s*\])?\s*$/.test(text) ? "  " : "");
}

function lineIndentAt(text: string, at: number): string {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, at))?.[0] ?? "";
}
