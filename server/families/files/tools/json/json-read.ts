import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import { PathArgument, pathAliases, readPathDescription } from "@/server/capabilities/files/path-argument";
import { reads } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { clampedInt } from "../page-arguments";
import { pointerAliases, readJsonText } from "./json-file";
import { findStart, patiently, pointerOf, segmentsOf } from "./json-place";
import { type JsonMember, JsonText } from "./json-text";

/** A value up to this length is shown as it is written; a longer object or list is shown member by member. */
const maxShownChars = 7_000;
const maxMemberChars = 300;

export const jsonRead = defineTool({
  name: "json_read",
  title: "Read a value of a JSON file",
  description:
    "Returns one value of a JSON file as written, with exact numbers. pointer is /users/0/name or users[0].name; without it, the whole. A long object or list is shown as its members, a page at a time (offset, limit); long members are cut. Comments are allowed. Files up to 64 MiB.",
  family: "files",
  tier: "extension",
  effect: "read",
  needs: [files],
  names: {
    aliases: ["JsonReadTool", "read_json"],
    parameterAliases: { ...pathAliases, ...pointerAliases, start: "offset", maxItems: "limit", max_items: "limit" },
  },
  primaryArgument: "path",
  result: {
    // A part of the file: enough to edit it, not to replace it.
    linesRead: () => ({ from: 1, to: 1, total: 2 }),
  },
  input: z.object({
    path: PathArgument.describe(readPathDescription),
    pointer: z.string().max(2_000).default("").describe("Place of the value; empty: the whole document"),
    offset: clampedInt({ min: 0 }).prefault(0).describe("First member to show, from 0"),
    limit: clampedInt({ min: 1, max: 500 }).prefault(50).describe("Members a page"),
  }),
  approval: { effects: ({ path }) => [reads("/path", path)] },
  async execute({ path, pointer, offset, limit }, { files, signal }) {
    const segments = segmentsOf(pointer);
    const json = new JsonText(path, await readJsonText(path, { files, signal }));
    if (segments.length === 0) json.assertValid();
    const start = await findStart(json, segments);
    const written = json.text.slice(start, json.endOf(start));
    const kind = json.kindAt(start);
    if (written.length <= maxShownChars && offset === 0) return written;
    if (kind !== "object" && kind !== "list") return written;
    const members = { total: 0, page: [] as JsonMember[] };
    for await (const member of patiently(json.members(start))) {
      if (members.total >= offset && members.page.length < limit) members.page.push(member);
      members.total += 1;
    }
    return pageOf(json, members, { kind, segments, offset });
  },
});

type Page = { kind: "object" | "list"; segments: readonly string[]; offset: number };

function pageOf(json: JsonText, { total, page }: { total: number; page: readonly JsonMember[] }, { kind, segments, offset }: Page): string {
  if (offset >= total) {
    throw new AppError("invalid", `The ${kind} has ${total} members, so offset ${offset} is behind its end. Send less.`);
  }
  const lines: string[] = [];
  let chars = 0;
  for (const member of page) {
    const line = `${pointerOf([...segments, member.name])}: ${shown(json, member)}`;
    if (lines.length > 0 && chars + line.length > maxShownChars) break;
    chars += line.length;
    lines.push(line);
  }
  const next = offset + lines.length;
  const onwards = next < total ? ` Go on with offset ${next}.` : "";
  return `${json.path}: members ${offset} to ${next - 1} of ${total} (${kind}).${onwards}\n${lines.join("\n")}`;
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
