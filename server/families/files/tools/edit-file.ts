import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import { ChangedPathArgument, pathAliases } from "@/server/capabilities/files/path-argument";
import { withSimilarPaths } from "@/server/capabilities/files/similar-paths";
import { writes } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { applyEdit, editAliases, hintFor, maxEditedBytes } from "./edit-text";
import { fileText, rowNote, writtenAs } from "./file-text";
import { syntaxNote } from "./syntax-note";

export const editFile = defineTool({
  name: "edit_file",
  title: "Edit a file",
  description:
    "Replaces a text in a workspace file by another, exactly as written, white space included. oldText must occur once; with replaceAll every occurrence is replaced. Files up to 10 MiB.",
  family: "files",
  tier: "core",
  effect: "write",
  needs: [files],
  names: {
    aliases: ["EditFileTool", "edit", "str_replace", "replace_in_file"],
    parameterAliases: { ...pathAliases, ...editAliases },
  },
  primaryArgument: "path",
  approval: {
    everydayAction: "edit",
    dangerous: true,
    effects: ({ path }) => [writes("/path", path)],
    changesFile: ({ path, replaceAll, ...edit }) => ({
      path,
      after: (before) => {
        const { after, count } = applyEdit(Buffer.from(before), edit);
        return count === 0 || (count > 1 && !replaceAll) ? null : Buffer.from(after).toString("utf8");
      },
    }),
  },
  input: z.object({
    path: ChangedPathArgument.describe("Relative to the workspace"),
    oldText: z.string().min(1).describe("Text as it stands in the file, without line numbers"),
    newText: z.string().describe("Text to put in its place"),
    replaceAll: z.boolean().default(false).describe("Replace every occurrence"),
  }),
  async execute({ path, oldText, newText, replaceAll }, { files, signal }) {
    if (oldText === newText) throw new AppError("invalid", "oldText and newText are the same, so nothing would change.");
    const file = await withSimilarPaths(path, { files, signal }, () => files.readBytes(path, { maxBytes: maxEditedBytes }));
    const { bytes: before, encoding, encode } = fileText(path, file);
    const { after, count } = applyEdit(before, { oldText, newText });
    if (count === 0) throw new AppError("not_found", `oldText does not occur in ${path}. ${hintFor(before, oldText)}`);
    if (count > 1 && !replaceAll) {
      throw new AppError(
        "conflict",
        `oldText occurs ${count} times in ${path}. Send more of the text around it so that it occurs once, or replaceAll: true.`,
      );
    }
    const written = await files.writeBytes(path, encode(after), { isEdit: true });
    return `${count === 1 ? "Changed one place" : `Changed ${count} places`} in ${path}.${rowNote(written)}${writtenAs(encoding)}${await syntaxNote(path, after)}`;
  },
});
