import { z } from "zod";
import { normalPath } from "@/server/capabilities/files/path-argument";
import { type DeclaredEffect, fetches, reads } from "@/server/guard/effects/declare-effects";

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const artifactForm = new RegExp(`^(?:artifact:|/api/v1/artifacts/)?(${uuid})$`, "i");
const taskForm = new RegExp(`^task:(${uuid})(?::(\\d{1,2}))?$`, "i");
const messageForm = new RegExp(`^msg:(${uuid}):(\\d{1,3})$`, "i");
const dataForm = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/=\s]+)$/;

/** Where an image is. */
export type ImagePlace =
  | { kind: "artifact"; id: string }
  | { kind: "task"; id: string; number: number }
  | { kind: "message"; id: string; index: number }
  | { kind: "data"; base64: string }
  | { kind: "url"; url: string }
  | { kind: "path"; path: string };

/** Reads where a reference leads; null for one that names no image. */
export function placeOf(reference: string): ImagePlace | null {
  const artifact = artifactForm.exec(reference)?.[1];
  if (artifact) return { kind: "artifact", id: artifact.toLowerCase() };
  const task = taskForm.exec(reference);
  if (task?.[1]) return { kind: "task", id: task[1].toLowerCase(), number: Number(task[2] ?? 1) };
  const message = messageForm.exec(reference);
  if (message?.[1]) return { kind: "message", id: message[1].toLowerCase(), index: Number(message[2]) };
  if (/^data:/i.test(reference)) {
    const base64 = dataForm.exec(reference)?.[1];
    return base64 ? { kind: "data", base64 } : null;
  }
  if (/^https?:/i.test(reference)) return URL.canParse(reference) ? { kind: "url", url: reference } : null;
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(reference) ? null : { kind: "path", path: normalPath(reference) };
}

/** Paths are normalised here, so that rules see the path that is opened. */
export const ImageReference = z
  .string()
  .trim()
  .min(1, "names no image")
  .max(28_000_000, "has more than 20 MB")
  .overwrite((reference) => {
    const place = placeOf(reference);
    return place?.kind === "path" ? place.path : reference;
  })
  .refine(
    (reference) => placeOf(reference) !== null,
    "names no image: send a workspace path, artifact:<id>, task:<id>, msg:<id>:<index>, a data URI of an image, or an http(s) URL",
  );

/** Declares what loading an image does. */
export function effectsOfImage(pointer: string, reference: string): DeclaredEffect[] {
  const place = placeOf(reference);
  if (place?.kind === "path") return [reads(pointer, place.path)];
  return place?.kind === "url" ? [fetches(pointer, place.url)] : [];
}

/** Images of a call that takes one by `image`, several by `images`, or both. */
type GivenReferences = { image?: string | undefined; images?: readonly string[] | undefined };

export const referencesOf = ({ image, images = [] }: GivenReferences): string[] => [...(image === undefined ? [] : [image]), ...images];

export const effectsOfImages = ({ image, images = [] }: GivenReferences): DeclaredEffect[] => [
  ...(image === undefined ? [] : effectsOfImage("/image", image)),
  ...images.flatMap((reference, index) => effectsOfImage(`/images/${index}`, reference)),
];
