import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import type { FileContent, FilesCapability } from "@/server/capabilities/files/files";
import { ChangedPathArgument, pathAliases } from "@/server/capabilities/files/path-argument";
import { withSimilarPaths } from "@/server/capabilities/files/similar-paths";
import { deletes, writes } from "@/server/guard/effects/declare-effects";
import { AppError, isAppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { editAliases, maxEditedBytes } from "../edit-text";
import { fileText, rowNote } from "../file-text";
import { type MatchStrategy, strategySentences } from "../find-lines";
import { nullIfRefused } from "../null-if-refused";
import { replaceText } from "../replace-text";
import { syntaxNote } from "../syntax-note";
import { applyHunks } from "./apply-hunks";
import { type FilePatch, parsePatch } from "./parse-patch";
import { patchDocumentation } from "./patch.documentation";

const maxPatchChars = 512 * 1_024;
/** All files of a patch together, because all are in memory until they are written. */
const maxTotalBytes = 32 * 1_048_576;

const modeOf = ({ mode, patch }: { mode?: "replace" | "patch" | undefined; patch?: string | undefined }) =>
  mode ?? (patch === undefined ? "replace" : "patch");

export const patch = defineTool({
  name: "patch",
  title: "Patch files",
  description:
    "mode patch applies a V4A patch to several files, all or none: *** Update File: path, *** Add File: path, *** Delete File: path, *** Move to: path; @@ line above, then lines with space, - or +. mode replace puts newText for oldText in the file path. Small differences of white space and quotes are bridged, and named.",
  disclosure: { documentation: patchDocumentation },
  family: "files",
  tier: "extension",
  effect: "write",
  needs: [files],
  names: {
    aliases: ["PatchTool", "apply_patch", "ApplyPatch", "patch_file"],
    parameterAliases: { ...pathAliases, ...editAliases, input: "patch", diff: "patch", patchText: "patch", patch_text: "patch" },
  },
  approval: {
    dangerous: true,
    effects: (args) => {
      if (modeOf(args) === "replace") return [writes("/path", args.path ?? "")];
      return readable(args.patch).flatMap((file) => {
        if (file.kind === "delete") return [deletes("/patch", file.path)];
        const moveTo = file.kind === "update" ? file.moveTo : null;
        return moveTo === null ? [writes("/patch", file.path)] : [deletes("/patch", file.path), writes("/patch", moveTo)];
      });
    },
    changesFile: (args) => {
      const { path, oldText, newText, replaceAll } = args;
      if (modeOf(args) === "replace") {
        return {
          path: path ?? "",
          after: (before) => nullIfRefused(() => replaceText(path ?? "", before, { oldText, newText, replaceAll }).after),
        };
      }
      const [file, ...others] = readable(args.patch);
      if (!file || others.length > 0 || file.kind === "delete" || (file.kind === "update" && file.moveTo !== null)) return null;
      return {
        path: file.path,
        after: (before) => nullIfRefused(() => (file.kind === "add" ? textOf(file) : applyHunks(file.path, before, file.hunks).after)),
      };
    },
  },
  input: z
    .object({
      mode: z.enum(["replace", "patch"]).optional().describe("Default: patch when patch is sent"),
      patch: z.string().min(1).max(maxPatchChars).optional().describe("Mode patch: *** Begin Patch … *** End Patch"),
      path: ChangedPathArgument.optional().describe("Mode replace: relative to the workspace"),
      oldText: z.string().min(1).optional().describe("Text to replace (mode replace)"),
      newText: z.string().optional().describe("Its replacement (mode replace)"),
      replaceAll: z.boolean().default(false).describe("Replace every occurrence (mode replace)"),
    })
    .superRefine((args, context) => {
      const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
      if (modeOf(args) === "replace") {
        for (const name of ["path", "oldText", "newText"] as const) {
          if (args[name] === undefined) refuse(name, `mode replace needs ${name}`);
        }
        if (args.patch !== undefined) refuse("patch", "mode replace takes no patch; send mode patch");
        return;
      }
      for (const name of ["path", "oldText", "newText"] as const) {
        if (args[name] !== undefined) refuse(name, `mode patch takes no ${name}; the patch names its files`);
      }
      if (args.patch === undefined) return refuse("patch", "mode patch needs patch");
      try {
        parsePatch(args.patch);
      } catch (error) {
        if (!isAppError(error)) throw error;
        refuse("patch", error.message);
      }
    }),
  async execute(args, { files, signal }) {
    const { path = "", oldText, newText, replaceAll } = args;
    if (modeOf(args) === "replace") {
      const { before, encode } = await textBefore(path, files, signal);
      const { after, count, strategy, reindented } = replaceText(path, before, { oldText, newText, replaceAll });
      const written = await files.writeBytes(path, encode(after), { isEdit: true });
      return `${count === 1 ? "Changed one place" : `Changed ${count} places`} in ${path}.${rowNote(written)}${how([strategy], reindented)}${await syntaxNote(path, after)}`;
    }
    const changes: FileContent[] = [];
    const report: string[] = [];
    let total = 0;
    for (const file of parsePatch(args.patch ?? "")) {
      const { contents, said } = await changesOf(file, files, signal);
      total += contents.reduce((sum, { bytes }) => sum + (bytes?.byteLength ?? 0), 0);
      if (total > maxTotalBytes) throw new AppError("too_large", "The files of this patch have more than 32 MiB. Patch fewer at once.");
      changes.push(...contents);
      report.push(said);
    }
    await files.changeFiles(changes);
    const notes = await Promise.all(changes.map(({ path, bytes }) => (bytes ? syntaxNote(path, bytes) : "")));
    return `Patched ${report.length === 1 ? "1 file" : `${report.length} files`}:\n${report.join("\n")}${notes.join("")}`;
  },
});

/** Parses a patch that the schema accepted; a recorded call may hold one that it refused, which writes nothing. */
function readable(patch: string | undefined): FilePatch[] {
  try {
    return parsePatch(patch ?? "");
  } catch {
    return [];
  }
}

async function changesOf(file: FilePatch, files: FilesCapability, signal: AbortSignal): Promise<{ contents: FileContent[]; said: string }> {
  if (file.kind === "add") {
    return { contents: [{ path: file.path, bytes: Buffer.from(textOf(file)), isNew: true }], said: `added ${file.path}` };
  }
  if (file.kind === "delete") return { contents: [{ path: file.path, bytes: null }], said: `deleted ${file.path}` };
  const { path, moveTo, hunks } = file;
  if (hunks.length === 0 && moveTo !== null) {
    // A moved file may be anything, so its bytes stay as they are.
    const bytes = await withSimilarPaths(path, { files, signal }, () => files.readBytes(path, { maxBytes: maxEditedBytes }));
    return { contents: moved(path, moveTo, bytes), said: `moved ${path} to ${moveTo}` };
  }
  const { before, encode } = await textBefore(path, files, signal);
  const { after, strategies, reindented } = applyHunks(path, before, hunks);
  const bytes = encode(after);
  const places = `${hunks.length} ${hunks.length === 1 ? "place" : "places"}`;
  return moveTo === null
    ? { contents: [{ path, bytes }], said: `changed ${path} at ${places}.${how(strategies, reindented)}` }
    : { contents: moved(path, moveTo, bytes), said: `moved ${path} to ${moveTo} and changed ${places}.${how(strategies, reindented)}` };
}

const moved = (from: string, to: string, bytes: Uint8Array): FileContent[] => [
  { path: from, bytes: null },
  { path: to, bytes, isNew: true },
];

const textOf = ({ lines }: { lines: readonly string[] }): string => lines.map((line) => `${line}\n`).join("");

type TextBefore = { before: string; encode: (text: string) => Uint8Array };

async function textBefore(path: string, files: FilesCapability, signal: AbortSignal): Promise<TextBefore> {
  const file = await withSimilarPaths(path, { files, signal }, () => files.readBytes(path, { maxBytes: maxEditedBytes }));
  const { bytes, encode } = fileText(path, file);
  try {
    return { before: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), encode };
  } catch {
    throw new AppError(
      "invalid",
      `${path} is not text in one encoding, so a patch would change other bytes. Use edit_file, which keeps them.`,
    );
  }
}

const maxShownLines = 3;

/** Says how the lines were matched, when it was not exactly, and which new lines were indented as their place is. */
function how(strategies: readonly MatchStrategy[], reindented: readonly string[]): string {
  const loose = [...new Set(strategies)].filter((strategy) => strategy !== "exact");
  if (loose.length === 0) return "";
  const matched = ` Matched ${loose.map((strategy) => `${strategySentences[strategy]} (${strategy})`).join(" and ")}.`;
  if (reindented.length === 0) return matched;
  const shown = reindented.slice(0, maxShownLines).map((line) => `\n${line.slice(0, 200)}`);
  const rest = reindented.length > maxShownLines ? `\n… and ${reindented.length - maxShownLines} more` : "";
  return `${matched} ${reindented.length === 1 ? "A new line was" : "New lines were"} indented as the place is:${shown.join("")}${rest}`;
}
