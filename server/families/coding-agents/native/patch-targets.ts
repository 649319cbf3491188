import type { JsonObject } from "@/contracts/common";
import type { ToolPath } from "@/contracts/machine";

/** Lines of a patch that name its files. */
const fileLine = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$/gm;

/** At most this many files of a patch are listed; a larger one is judged as an unknown call. */
const maxFiles = 500;

/**
 * Reads the files of a patch in the form that Codex writes, so that each is a target of the call.
 * @returns null for a text that names no file, which is then judged as an unknown call
 */
export function patchTargets(member: string, from?: string): (input: JsonObject) => { arguments: JsonObject; paths: ToolPath[] } | null {
  return (input) => {
    const text = input[member];
    if (typeof text !== "string" || !text.includes("*** Begin Patch")) return null;
    const found = [...text.matchAll(fileLine)].map(([, change = "", path = ""]) => ({ change, path }));
    if (found.length === 0 || found.length > maxFiles) return null;
    const files = found.map(({ change, path }) => ({
      path: from !== undefined && !path.startsWith("/") ? `${from}/${path}` : path,
      change: change === "Delete File" ? "delete" : change === "Add File" ? "add" : change === "Move to" ? "move" : "update",
    }));
    const paths = files.map(
      ({ change }, place): ToolPath => ({
        argument: `/files/${place}/path`,
        kind: change === "delete" ? "delete" : "write",
      }),
    );
    return { arguments: { ...input, files }, paths };
  };
}
