import { posix } from "node:path";
import type { FilesCapability } from "@/server/capabilities/files/files";
import { normalPath } from "@/server/capabilities/files/path-argument";
import { isAppError } from "@/server/platform/errors";
import { imageLine } from "../program/write/image-line";

const maxImages = 100;
const maxImageBytes = 20 * 1_048_576;
const maxTotalBytes = 60 * 1_048_576;
const imageName = /\.(?:png|jpe?g|gif|bmp|svg)$/i;
const artifactForm = /^(?:artifact:|\/api\/v1\/artifacts\/)([0-9a-f-]{36})$/i;
const remoteForm = /^[a-z][a-z0-9+.-]*:|^\/\//i;

/** Returns the workspace paths of a Markdown text's images, for the effects of a call. */
export function imagePaths(markdown: string): string[] {
  const addresses = markdown.split("\n").flatMap((line) => imageLine(line)?.address ?? []);
  return [...new Set(addresses.flatMap((address) => pathOf(address, ".") ?? []))].slice(0, maxImages);
}

/** Rewrites a file's image lines, so that their paths are relative to the workspace like those of other files. */
export function withWorkspacePaths(markdown: string, folder: string): string {
  return markdown
    .split("\n")
    .map((line) => {
      const image = imageLine(line.replace(/\r$/, ""));
      const path = image && pathOf(image.address, folder);
      return path ? `![${image.alternative}](<${path}>)` : line;
    })
    .join("\n");
}

/** Returns the workspace path of an image's address; null for an artifact, a URL and a file of another type. */
function pathOf(address: string, folder: string): string | null {
  if (artifactForm.test(address) || remoteForm.test(address) || /[<>\p{Cc}]/u.test(address)) return null;
  const path = normalPath(posix.join(folder, decoded(address)));
  return imageName.test(path) && !/[<>\p{Cc}]/u.test(path) ? path : null;
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

type Sources = { files: FilesCapability; signal: AbortSignal };

/**
 * Reads the images that Markdown names from the workspace and the conversation's artifacts. Nothing is fetched. An image
 * that cannot be read is left out with a note, because the document is useful without it.
 */
export async function collectImages(
  markdown: string,
  { files, signal }: Sources,
): Promise<{ images: Record<string, Uint8Array>; notes: string[] }> {
  const images = new Map<string, Uint8Array>();
  const notes: string[] = [];
  let total = 0;
  for (const address of new Set(markdown.split("\n").flatMap((line) => imageLine(line.replace(/\r$/, ""))?.address ?? []))) {
    signal.throwIfAborted();
    const leftOut = (reason: string) => notes.push(`The image ${address.slice(0, 200)} was left out: ${reason}`);
    const artifactId = artifactForm.exec(address)?.[1];
    const path = artifactId ? `artifact:${artifactId}` : pathOf(address, ".");
    if (images.size >= maxImages) leftOut(`a document has at most ${maxImages} images.`);
    else if (!path && remoteForm.test(address)) leftOut("nothing is fetched. Save it in the workspace first.");
    else if (!path) leftOut("name a PNG, JPEG, GIF, BMP or SVG file.");
    else {
      try {
        const bytes = await files.readBytes(path, { maxBytes: Math.min(maxImageBytes, maxTotalBytes - total) });
        total += bytes.byteLength;
        if (total > maxTotalBytes) leftOut("the images of the document have more than 60 MiB.");
        else images.set(address, bytes);
      } catch (error) {
        if (!isAppError(error)) throw error;
        leftOut(error.message);
      }
    }
  }
  return { images: Object.fromEntries(images), notes };
}
