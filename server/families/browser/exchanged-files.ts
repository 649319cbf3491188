import { extname, posix } from "node:path";
import { addDownload } from "@/server/capabilities/files/add-new-file";
import type { FilesCapability } from "@/server/capabilities/files/files";
import { withSimilarPaths } from "@/server/capabilities/files/similar-paths";
import { detectMediaType } from "@/server/mcp/connect/content/detect-media-type";
import { AppError, isAppError } from "@/server/platform/errors";
import { isRichResult, type ToolResult, toolResult } from "@/server/tools/define-tool";
import type { UploadFile } from "./browser-action";

const maxUploadBytes = 20 * 1_048_576;

/** Types that pages check and that only the name of a file tells. */
const typesByName: Readonly<Record<string, string>> = {
  ".csv": "text/csv",
  ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  ".htm": "text/html",
  ".html": "text/html",
  ".json": "application/json",
  ".md": "text/markdown",
  ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  ".svg": "image/svg+xml",
  ".tsv": "text/tab-separated-values",
  ".txt": "text/plain",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ".xml": "application/xml",
};

type Reading = { files: FilesCapability; signal: AbortSignal };

/** Reads the files of an upload. @throws AppError `not_found`, `too_large` */
export async function readUploads(paths: readonly string[], reading: Reading): Promise<UploadFile[]> {
  const uploads: UploadFile[] = [];
  let left = maxUploadBytes;
  for (const path of paths) {
    const upload = await readUpload(path, left, reading);
    left -= upload.bytes.byteLength;
    uploads.push(upload);
  }
  return uploads;
}

async function readUpload(path: string, maxBytes: number, { files, signal }: Reading): Promise<UploadFile> {
  const bytes = await withSimilarPaths(path, { files, signal }, () => files.readBytes(path, { maxBytes })).catch((error) => {
    if (!isAppError(error) || error.code !== "too_large") throw error;
    const fault =
      maxBytes === maxUploadBytes
        ? `${path} has more than 20 MiB, the most that is uploaded. Compress it, or upload a part of it.`
        : `The files up to ${path} have more than 20 MiB, the most that is uploaded at once. Send fewer, or compress them.`;
    throw new AppError("too_large", fault, { cause: error });
  });
  const name = posix.basename(path);
  return { name, mediaType: typesByName[extname(name).toLowerCase()] ?? detectMediaType(bytes), bytes };
}

/**
 * Adds the downloads of a result to the conversation's folder and names their paths. No effect is declared for them: any action
 * may start a download, and a download only adds a file under a new name in a folder of its own.
 */
export async function withDownloads(result: ToolResult, files: Pick<FilesCapability, "changeFiles">): Promise<ToolResult> {
  if (!isRichResult(result)) return result;
  const { structuredContent = {}, files: given = [] } = result;
  const count = Array.isArray(structuredContent.downloads) ? structuredContent.downloads.length : 0;
  if (count === 0) return result;
  const downloads: { name: string; bytes: number; path: string | null }[] = [];
  const lines: string[] = [];
  // A page's downloads are the last files of a result.
  for (const { name, bytes } of given.slice(-count)) {
    const added = await addDownload(files, { name, bytes });
    downloads.push({ name, bytes: bytes.byteLength, path: "path" in added ? added.path : null });
    lines.push(
      "path" in added
        ? `Saved the download as ${JSON.stringify(added.path)}.`
        : `A download is an artifact of this call only. ${added.fault}`,
    );
  }
  const [said = "", ...rest] = result.text.split("\n");
  return toolResult({ ...result, text: [said, ...lines, ...rest].join("\n"), structuredContent: { ...structuredContent, downloads } });
}
