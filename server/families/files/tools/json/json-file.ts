import { isUtf8 } from "node:buffer";
import type { FilesCapability } from "@/server/capabilities/files/files";
import { withSimilarPaths } from "@/server/capabilities/files/similar-paths";
import { AppError, isAppError } from "@/server/platform/errors";
import { commandTool } from "@/server/tools/results/helping-tools";

export const maxJsonBytes = 64 * 1_048_576;

/** Names that other systems use for the place in a JSON file. */
export const pointerAliases = {
  query: "pointer",
  jsonPath: "pointer",
  json_path: "pointer",
  jsonPointer: "pointer",
  key: "pointer",
} as const;

/** Returns the text of a JSON file. @throws AppError with a way out for a file that is too large or not UTF-8. */
export async function readJsonText(path: string, { files, signal }: { files: FilesCapability; signal: AbortSignal }): Promise<string> {
  const bytes = await withSimilarPaths(path, { files, signal }, () => files.readBytes(path, { maxBytes: maxJsonBytes })).catch((error) => {
    if (!isAppError(error) || error.code !== "too_large") throw error;
    const tool = commandTool.text() || "a shell";
    throw new AppError(
      "too_large",
      `${path} is too large for this tool, which reads files up to 64 MiB. read_file shows its text by pages, search_files finds a text in it, and jq through ${tool} takes a part.`,
      { cause: error },
    );
  });
  // A fatal TextDecoder takes ten times as long.
  if (!isUtf8(bytes)) throw new AppError("invalid", `${path} is not UTF-8, so it is not JSON. detect_file_type says what it is.`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
