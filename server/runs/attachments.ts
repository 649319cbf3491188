import "server-only";
import path from "node:path";
import type { agents, artifacts, RunMessageContent } from "@/db/schema";
import { blobs } from "@/server/capabilities/blobs/blobs";
import type { FilesCapability } from "@/server/capabilities/files/files";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { detectMediaType } from "@/server/mcp/connect/content/detect-media-type";
import { AppError, isAppError } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import { imageCost } from "@/server/tools/results/image-tokens";
import { maxImageBytes, shownTypes } from "./context/message-images";

type Attachment = NonNullable<RunMessageContent["attachments"]>[number];
type ArtifactRow = typeof artifacts.$inferInsert;

/** The files of a message: what its row holds, and the images among them as artifacts, because a file may change later. */
export type SentFiles = { content: Pick<RunMessageContent, "attachments" | "images">; artifacts: ArtifactRow[] };

/** Pixels of the largest image that is shown, because a small file can decode to a picture that fills the memory. */
const maxPixels = 50_000_000;

/**
 * Reads the files that a message names, from the folder of its conversation.
 * @throws AppError `invalid` with the place of a path that leads to no file of the folder
 */
export async function loadAttachments(
  agent: Pick<typeof agents.$inferSelect, "workspaceId" | "sharedFolder">,
  conversationId: string,
  paths: readonly string[] = [],
): Promise<SentFiles> {
  if (paths.length === 0) return { content: {}, artifacts: [] };
  const files = workspaceFiles(workspaceFolder({ id: conversationId, workspaceId: agent.workspaceId }, agent));
  const attachments: Attachment[] = [];
  const rows: ArtifactRow[] = [];
  for (const [place, given] of [...new Set(paths)].entries()) {
    const found = await readFile(files, given).catch((error) => {
      if (!isAppError(error)) throw error;
      throw new AppError("invalid", `The message cannot name ${given}: ${error.message}`, {
        errors: [{ path: `attachments.${place}`, message: error.message }],
      });
    });
    const { mediaType, bytes, image } = found;
    const artifactId = image ? newId() : null;
    if (image && artifactId) {
      const { sha256 } = await blobs().put(image);
      const { workspaceId } = agent;
      rows.push({ id: artifactId, workspaceId, conversationId, name: path.posix.basename(given), mediaType, bytes, sha256 });
    }
    attachments.push({ path: given, mediaType, bytes, artifactId });
  }
  const images = attachments.flatMap(({ artifactId, mediaType }) => (artifactId ? [{ artifactId, mediaType }] : []));
  return { content: { attachments, ...(images.length > 0 ? { images } : {}) }, artifacts: rows };
}

/** Says which files the message of a run names, for the model; images with their name for tools. Empty without any. */
export function namedFiles(runId: string, attachments: readonly Attachment[] = []): string {
  if (attachments.length === 0) return "";
  let images = 0;
  const lines = attachments.map(({ path, mediaType, bytes, artifactId }) => {
    const name = artifactId === null ? "" : `, msg:${runId}:${images++}`;
    return `- ${path} (${mediaType}, ${bytes} bytes${name})`;
  });
  return `[Attached files in the workspace:\n${lines.join("\n")}]`;
}

type FoundFile = { mediaType: string; bytes: number; image: Uint8Array | null };

async function readFile(files: FilesCapability, given: string): Promise<FoundFile> {
  const { kind, bytes } = await files.stat(given);
  if (kind !== "file") throw new AppError("invalid", `${given} is a folder. Name a file.`);
  if (bytes > maxImageBytes) return { mediaType: detectMediaType(await beginningOf(files, given)), bytes, image: null };
  const content = await files.readBytes(given, { maxBytes: maxImageBytes });
  const mediaType = detectMediaType(content);
  const size = shownTypes.has(mediaType) ? imageCost(content) : null;
  return { mediaType, bytes, image: size && size.width * size.height <= maxPixels ? content : null };
}

async function beginningOf(files: FilesCapability, given: string): Promise<Uint8Array> {
  for await (const chunk of files.readChunks(given)) return chunk;
  return new Uint8Array();
}
