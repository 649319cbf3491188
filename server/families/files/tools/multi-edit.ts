import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import { ChangedPathArgument, pathAliases } from "@/server/capabilities/files/path-argument";
import { withSimilarPaths } from "@/server/capabilities/files/similar-paths";
import { writes } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { applyEdit, editAliases, hintFor, maxEditedBytes } from "./edit-text";
import { fileText, rowNote, writtenAs } from "./file-text";
import { multiEditDocumentation } from "./multi-edit.documentation";
import { renameMembers } from "./rename-members";
import { syntaxNote } from "./syntax-note";

const maxEdits = 100;

const Edit = z.strictObject({ oldText: z.string().min(1), newText: z.string(), replaceAll: z.boolean().default(false) });
type Edit = z.infer<typeof Edit>;

const modes = ["strict", "best_effort", "partial"] as const;
type Mode = (typeof modes)[number];

export const multiEdit = defineTool({
  name: "multi_edit",
  title: "Edit a file in several places",
  description:
    "Applies edits to one workspace file in order, each to the result of those before it, as edit_file does. mode strict: one failing edit leaves the file as it is; partial: edits up to the first failing one are kept; best_effort: failing edits are skipped.",
  disclosure: { documentation: multiEditDocumentation, needsInfo: true },
  family: "files",
  tier: "extension",
  effect: "write",
  needs: [files],
  names: {
    aliases: ["MultiEditTool", "multiedit", "multi_str_replace"],
    parameterAliases: { ...pathAliases, changes: "edits", replacements: "edits" },
  },
  primaryArgument: "path",
  approval: {
    dangerous: true,
    effects: ({ path }) => [writes("/path", path)],
    changesFile: ({ path, edits, mode }) => ({
      path,
      after: (before) => {
        const { after, applied } = applyEdits(Buffer.from(before), edits, mode);
        return applied === 0 ? null : Buffer.from(after).toString("utf8");
      },
    }),
  },
  input: z.object({
    path: ChangedPathArgument.describe("Relative to the workspace"),
    edits: z
      .array(z.preprocess(renameMembers(editAliases), Edit))
      .min(1)
      .max(maxEdits)
      .describe("In order; each sees the result of those before it"),
    mode: z.enum(modes).default("strict").describe("How a failing edit counts"),
  }),
  async execute({ path, edits, mode }, { files, signal }) {
    const file = await withSimilarPaths(path, { files, signal }, () => files.readBytes(path, { maxBytes: maxEditedBytes }));
    const { bytes: before, encoding, encode } = fileText(path, file);
    const { after, applied, failed, skipped, reports } = applyEdits(before, edits, mode);
    const list = reports.map((report, index) => `${index + 1}. ${report}`).join("\n");
    if (failed > 0 && mode === "strict") {
      throw new AppError("conflict", `${path} was not changed, because an edit failed and the mode is strict.\n${list}`);
    }
    if (applied === 0) throw new AppError("conflict", `${path} was not changed, because no edit could be applied.\n${list}`);
    if (after.byteLength > maxEditedBytes) throw new AppError("too_large", `${path} would have more than 10 MiB. Write less at once.`);
    const written = await files.writeBytes(path, encode(after), { isEdit: true });
    const rest = [failed > 0 ? `${failed} failed` : "", skipped > 0 ? `${skipped} skipped` : ""].filter(Boolean);
    // Failing edits were allowed by the mode, so the call succeeds and the conversation still knows the file.
    return `Changed ${path}: ${applied} of ${edits.length} ${edits.length === 1 ? "edit" : "edits"} applied${rest.map((part) => `, ${part}`).join("")}.${rowNote(written)}${writtenAs(encoding)}\n${list}${await syntaxNote(path, after)}`;
  },
});

type Applied = { after: Uint8Array; applied: number; failed: number; skipped: number; reports: string[] };

/** Applies edits in order. In mode strict the result of a failing edit keeps the text before all edits. */
export function applyEdits(before: Uint8Array, edits: readonly Edit[], mode: Mode): Applied {
  let text = before;
  const counts = { applied: 0, failed: 0, skipped: 0 };
  const reports: string[] = [];
  for (const edit of edits) {
    if (counts.failed > 0 && mode !== "best_effort") {
      counts.skipped += 1;
      reports.push("skipped.");
      continue;
    }
    const { after, places, problem } = applyOne(text, edit);
    if (problem !== null) {
      counts.failed += 1;
      reports.push(`failed: ${problem}`);
      continue;
    }
    text = after;
    counts.applied += 1;
    reports.push(places === 1 ? "changed one place." : `changed ${places} places.`);
  }
  return counts.failed > 0 && mode === "strict" ? { ...counts, after: before, applied: 0, reports } : { ...counts, after: text, reports };
}

function applyOne(text: Uint8Array, edit: Edit): { after: Uint8Array; places: number; problem: string | null } {
  const failure = (problem: string) => ({ after: text, places: 0, problem });
  if (edit.oldText === edit.newText) return failure("oldText and newText are the same.");
  const { after, count } = applyEdit(text, edit);
  if (count === 0) return failure(`oldText does not occur after the edits before it. ${hintFor(text, edit.oldText)}`);
  if (count > 1 && !edit.replaceAll) {
    return failure(`oldText occurs ${count} times. Send more of the text around it so that it occurs once, or replaceAll: true.`);
  }
  return { after, places: count, problem: null };
}
