import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import { PathArgument, pathAliases, readPathDescription } from "@/server/capabilities/path-argument";
import { reads } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { pointerAliases, readJsonText } from "./json-file";
import { pointerOf, segmentsOf, startOf } from "./json-place";
import { type JsonMember, JsonText } from "./json-text";
import { clampedInt } from "./page-arguments";

/** A value up to this length is shown as it is written; a longer object or list is shown member by member. */
const maxShownChars = 7_000;
const maxMemberChars = 300;

export const jsonRead = defineTool({
  name: "json_read",
  title: "Read a value of a JSON file",
  description:
    "Returns one value of a JSON file as written, with exact numbers. pointer is /users/0/name or users[0].name; without it, the whole. A long object or list is shown as its members, a page at a time (offset, limit); long members are cut. Comments are allowed. Files up to 32 MiB.",
  family: "files",
  tier: "extension",
  effect: "read",
  needs: [files],
  aliases: ["JsonReadTool", "read_json"],
  parameterAliases: { ...pathAliases, ...pointerAliases, start: "offset", maxItems: "limit", max_items: "limit" },
  primaryArgument: "path",
  // A part of the file: enough to edit it, not to replace it.
  linesRead: () => ({ from: 1, to: 1, total: 2 }),
  input: z.object({
    path: PathArgument.describe(readPathDescription),
    pointer: z.string().max(2_000).default("").describe("Place of the value; empty: the whole document"),
    offset: clampedInt({ min: 0 }).prefault(0).describe("First member to show, from 0"),
    limit: clampedInt({ min: 1, max: 500 }).prefault(50).describe("Members a page"),
  }),
  effects: ({ path }) => [reads("/path", path)],
  async execute({ path, pointer, offset, limit }, { files, signal }) {
    const segments = segmentsOf(pointer);
    const json = new JsonText(path, await readJsonText(path, { files, signal }));
    if (segments.length === 0) json.assertValid();
    const start = startOf(json, segments);
    const written = json.text.slice(start, json.endOf(start));
    const kind = json.kindAt(start);
    if (written.length <= maxShownChars && offset === 0) return written;
    if (kind !== "object" && kind !== "list") return written;
    return pageOf(json, [...json.members(start)], { kind, segments, offset, limit });
  },
});

type Page = { kind: "object" | "list"; segments: readonly string[]; offset: number; limit: number };

function pageOf(json: JsonText, members: readonly JsonMember[], { kind, segments, offset, limit }: Page): string {
  if (offset >= members.length) {
    throw new AppError("invalid", `The ${kind} has ${members.length} members, so offset ${offset} is behind its end. Send less.`);
  }
  const lines: string[] = [];
  let chars = 0;
  for (const member of members.slice(offset, offset + limit)) {
    const line = `${pointerOf([...segments, member.name])}: ${shown(json, member)}`;
    if (lines.length > 0 && chars + line.length > maxShownChars) break;
    chars += line.length;
    lines.push(line);
  }
  const next = offset + lines.length;
  const onwards = next < members.length ? ` Go on with offset ${next}.` : "";
  return `${json.path}: members ${offset} to ${next - 1} of ${members.length} (${kind}).${onwards}\n${lines.join("\n")}`;
}

function shown(json: JsonText, { start, end }: JsonMember): string {
  if (end - start <= maxMemberChars) return json.text.slice(start, end);
  const kind = json.kindAt(start);
  const size = `${(end - start).toLocaleString("en")} characters`;
  if (kind === "object" || kind === "list") {
    let count = 0;
    for (const _member of json.members(start)) count += 1;
    return `(${kind} of ${count.toLocaleString("en")}, ${size})`;
  }
  return `${json.text.slice(start, start + maxMemberChars).toWellFormed()}… (${kind}, ${size})`;
}
