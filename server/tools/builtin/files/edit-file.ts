import { z } from "zod";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "../../define-tool";
import { PathArgument } from "./path-argument";

const maxEditedBytes = 10 * 1_048_576;

export const editFile = defineTool({
  name: "edit_file",
  title: "Edit a file",
  description:
    "Replaces a text in a workspace file by another, exactly as written, white space included. oldText must occur once; with replaceAll every occurrence is replaced. Files up to 10 MiB.",
  family: "files",
  tier: "core",
  effect: "write",
  needs: ["files"],
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
  async execute({ path, oldText, newText, replaceAll }, { files }) {
    if (oldText === newText) throw new AppError("invalid", "oldText and newText are the same, so nothing would change.");
    const before = await files.readBytes(path, { maxBytes: maxEditedBytes });
    // Bytes, not text: what is not replaced stays as it is, whatever its encoding.
    const { after, count } = replaceBytes(before, Buffer.from(oldText), Buffer.from(newText));
    if (count === 0) throw new AppError("not_found", `oldText does not occur in ${path}. ${hintFor(before, oldText)}`);
    if (count > 1 && !replaceAll) {
      throw new AppError(
        "conflict",
        `oldText occurs ${count} times in ${path}. Send more of the text around it so that it occurs once, or replaceAll: true.`,
      );
    }
    await files.writeBytes(path, after);
    return { path, replacements: count, replaceAll, message: count === 1 ? "One place was changed." : `${count} places were changed.` };
  },
});

/** Replaces every occurrence from left to right; what was put in is not searched again. */
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

/** Why a text that the model believes in may not be found. */
function hintFor(bytes: Uint8Array, oldText: string): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  if (!oldText.includes("\r") && text.includes("\r\n") && text.replaceAll("\r\n", "\n").includes(oldText)) {
    return "The lines of this file end with CRLF: send \\r\\n where oldText has \\n.";
  }
  if (/^ *\d+\t/.test(oldText)) return "Leave out the line numbers that read_file puts in front.";
  const squeezed = (value: string) => value.replaceAll(/\s+/g, " ").trim();
  if (squeezed(oldText) !== "" && squeezed(text).includes(squeezed(oldText))) {
    return "It does with other white space: read the file again and copy spaces, tabs and line breaks exactly.";
  }
  return "Read the file again and copy the text exactly.";
}
