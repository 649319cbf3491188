import "server-only";
import type { FilesCapability } from "@/server/capabilities/files/files";
import { withSimilarPaths } from "@/server/capabilities/files/similar-paths";
import type { HttpCapability } from "@/server/capabilities/network/http";
import { AppError, isAppError } from "@/server/platform/errors";
import type { GivenImage } from "../providers/provider";
import { imageFormat, maxMediaBytes } from "../tasks/media-type";
import { placeOf } from "./image-reference";

export type ImageSources = {
  files: FilesCapability;
  http: HttpCapability;
  media: {
    /** Returns the artifact ids of the images that a media task made. */
    imagesOfTask: (taskId: string) => Promise<string[]>;
    /** Returns the artifact ids of the images of a person's message, and of what followed it in its run. */
    imagesOfMessage: (runId: string) => Promise<string[]>;
  };
  signal: AbortSignal;
};

/**
 * Loads an image of at most 20 MiB from where a reference leads.
 * @throws AppError with the reference and the reason
 */
export async function loadImage(reference: string, sources: ImageSources): Promise<GivenImage> {
  const shown = reference.length > 80 ? `${reference.slice(0, 80)}…` : reference;
  const bytes = await bytesOf(reference, sources);
  if (bytes.byteLength > maxMediaBytes.image)
    throw new AppError("too_large", `The image ${shown} has more than 20 MiB. Send a smaller one.`);
  const format = imageFormat(bytes);
  if (!format) throw new AppError("invalid", `${shown} is no PNG, JPEG, WebP or GIF image. Convert it first, or name another file.`);
  return { bytes, mediaType: format.mediaType };
}

/** Loads images at the same time, in the order of their references. */
export const loadImages = (references: readonly string[], sources: ImageSources): Promise<GivenImage[]> =>
  Promise.all(references.map((reference) => loadImage(reference, sources)));

async function bytesOf(reference: string, { files, http, media, signal }: ImageSources): Promise<Uint8Array> {
  const place = placeOf(reference);
  switch (place?.kind) {
    case "path":
      return withSimilarPaths(place.path, { files, signal }, () => files.readBytes(place.path, { maxBytes: maxMediaBytes.image }));
    case "url":
      return fetched(place.url, http, signal);
    case "data":
      return Buffer.from(place.base64, "base64");
    case "artifact":
      try {
        return await artifactBytes(place.id, files);
      } catch (error) {
        // Models confuse the two kinds of ids, and no artifact has the id of a task.
        const [first] = isAppError(error) && error.code === "not_found" ? await media.imagesOfTask(place.id) : [];
        if (!first) throw error;
        return artifactBytes(first, files);
      }
    case "task": {
      const images = await media.imagesOfTask(place.id);
      const id = images[place.number - 1];
      if (!id) {
        const has = images.length === 0 ? "no images in this conversation" : `${images.length} of them`;
        throw new AppError(
          "not_found",
          `Task ${place.id} has ${has}, and number ${place.number} was asked for. The action status lists tasks.`,
        );
      }
      return artifactBytes(id, files);
    }
    case "message": {
      const images = await media.imagesOfMessage(place.id);
      const id = images[place.index];
      if (id) return artifactBytes(id, files);
      const has =
        images.length === 0
          ? "has no images in this conversation"
          : `has ${images.length} ${images.length === 1 ? "image" : "images"}, counted from 0`;
      throw new AppError(
        "not_found",
        `The message ${place.id} ${has}, and index ${place.index} was asked for. Attached files are named by their paths, too.`,
      );
    }
    case undefined:
      throw new AppError("invalid", "The reference names no image.");
  }
}

async function fetched(url: string, http: HttpCapability, signal: AbortSignal): Promise<Uint8Array> {
  const { status, bytes, truncated } = await http.fetch(url, {
    method: "GET",
    signal,
    maxBytes: maxMediaBytes.image,
    followRedirects: true,
  });
  if (status >= 300 && status < 400) throw new AppError("unavailable", `${url} redirects to another address. Send that address.`);
  if (status !== 200) throw new AppError("unavailable", `${url} answers HTTP ${status} instead of an image. Check the address.`);
  if (truncated) throw new AppError("too_large", `The image ${url} has more than 20 MiB. Send a smaller one.`);
  return bytes;
}

const artifactBytes = (id: string, files: FilesCapability): Promise<Uint8Array> =>
  files.readBytes(`artifact:${id}`, { maxBytes: maxMediaBytes.image });
