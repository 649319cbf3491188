import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import { writes } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { PathArgument } from "./path-argument";
import { withSimilarPaths } from "./similar-paths";

const maxEditedBytes = 10 * 1_048_576;

export const editFile = defineTool({
  name: "edit_file",
  title: "Edit a file",
  description:
    "Replaces a text in a workspace file by another, exactly as written, white space included. oldText must occur once; with replaceAll every occurrence is replaced. Files up to 10 MiB.",
  family: "files",
  tier: "core",
  effect: "write",
  needs: [files],
  aliases: ["EditFileTool", "edit", "str_replace", "replace_in_file"],
  parameterAliases: {
    filePath: "path",
    file_path: "path",
    filename: "path",
    file: "path",
    old: "oldText",
    old_text: "oldText",
    old_str: "oldText",
    old_string: "oldText",
    new: "newText",
    new_text: "newText",
    new_str: "newText",
    new_string: "newText",
    replace_all: "replaceAll",
  },
  primaryArgument: "path",
  dangerous: true,
  input: z.object({
    path: PathArgument.describe("Relative to the workspace"),
    oldText: z.string().min(1).describe("Text as it stands in the file, without line numbers"),
    newText: z.string().describe("Text to put in its place"),
    replaceAll: z.boolean().default(false),
  }),
  effects: ({ path }) => [writes("/path", path)],
  changesFile: ({ path, replaceAll, ...edit }) => ({
    path,
    after: (before) => {
      const { after, count } = applyEdit(Buffer.from(before), edit);
      return count === 0 || (count > 1 && !replaceAll) ? null : Buffer.from(after).toString("utf8");
    },
  }),
  async execute({ path, oldText, newText, replaceAll }, { files, signal }) {
    if (oldText === newText) throw new AppError("invalid", "oldText and newText are the same, so nothing would change.");
    const before = await withSimilarPaths(path, { files, signal }, () => files.readBytes(path, { maxBytes: maxEditedBytes }));
    const { after, count } = applyEdit(before, { oldText, newText });
    if (count === 0) throw new AppError("not_found", `oldText does not occur in ${path}. ${hintFor(before, oldText)}`);
    if (count > 1 && !replaceAll) {
      throw new AppError(
        "conflict",
        `oldText occurs ${count} times in ${path}. Send more of the text around it so that it occurs once, or replaceAll: true.`,
      );
    }
    await files.writeBytes(path, after);
    return count === 1 ? `Changed one place in ${path}.` : `Changed ${count} places in ${path}.`;
  },
});

/** Replaces every occurrence from left to right; replacements are not searched again. */
export function replaceBytes(text: Uint8Array, from: Uint8Array, to: Uint8Array): { after: Uint8Array; count: number } {
  const haystack = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const parts: Uint8Array[] = [];
  let count = 0;
  let position = 0;
  for (let found = haystack.indexOf(from); found !== -1; found = haystack.indexOf(from, position)) {
    parts.push(haystack.subarray(position, found), to);
    position = found + from.byteLength;
    count += 1;
  }
  parts.push(haystack.subarray(position));
  return { after: Buffer.concat(parts), count };
}

const withCrLf = (text: string): string => text.replaceAll(/\r?\n/g, "\r\n");

/** Returns the bytes after an edit, and the number of occurrences of `oldText`. For a file with CRLF, both texts may have LF. */
function applyEdit(before: Uint8Array, { oldText, newText }: { oldText: string; newText: string }): { after: Uint8Array; count: number } {
  // Works on bytes, so that the bytes around the place stay unchanged in any encoding.
  const inserted = Buffer.from(endsLinesWithCrLf(before) ? withCrLf(newText) : newText);
  const exact = replaceBytes(before, Buffer.from(oldText), inserted);
  return exact.count > 0 ? exact : replaceBytes(before, Buffer.from(withCrLf(oldText)), Buffer.from(withCrLf(newText)));
}

/** Returns true when every line of a file ends with CRLF. */
function endsLinesWithCrLf(bytes: Uint8Array): boolean {
  let found = bytes.indexOf(0x0a);
  if (found === -1) return false;
  for (; found !== -1; found = bytes.indexOf(0x0a, found + 1)) if (bytes[found - 1] !== 0x0d) return false;
  return true;
}

/** Returns a hint why `oldText` may not be found. */
function hintFor(bytes: Uint8Array, oldText: string): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  if (/^ *\d+\t/.test(oldText)) return "Leave out the line numbers that read_file puts in front.";
  if (oldText.includes("***")) return "It holds a masked secret (***): leave that part out of oldText.";
  const squeezed = (value: string) => value.replaceAll(/\s+/g, " ").trim();
  if (squeezed(oldText) !== "" && squeezed(text).includes(squeezed(oldText))) {
    return "It does with other white space: read the file again and copy spaces, tabs and line breaks exactly.";
  }
  return "Read the file again and copy the text exactly.";
}
