import type { JsonObject } from "@/contracts/common";
import type { ToolPath } from "@/contracts/tools/machine";

/** Lines of a patch that name its files. */
const fileLine = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)[ \t]*$/gm;

const words: Readonly<Record<string, string>> = { "Add File": "add", "Update File": "update", "Delete File": "delete", "Move to": "move" };

/** A patch with more files is judged as one that cannot be read. */
const maxFiles = 500;

/**
 * Reads the files of a patch in the form that Codex writes, so that each is a target of the call.
 * @returns null for a text that names no file, whose changes are then not known
 */
export function patchTargets(patch: string): { arguments: JsonObject; paths: ToolPath[] } | null {
  if (!patch.includes("*** Begin Patch")) return null;
  const files = [...patch.matchAll(fileLine)].map(([, change = "", path = ""]) => ({ path, change: words[change] ?? change }));
  if (files.length === 0 || files.length > maxFiles) return null;
  const paths = files.map(
    ({ change }, place): ToolPath => ({ argument: `/files/${place}/path`, kind: change === "delete" ? "delete" : "write" }),
  );
  return { arguments: { files, patch }, paths };
}
