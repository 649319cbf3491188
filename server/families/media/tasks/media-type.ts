import type { MediaKind } from "@/contracts/models/media";

type Format = { mediaType: string; ending: string };

/** Bytes of one file; images are held in memory several times. */
export const maxMediaBytes: Readonly<Record<MediaKind, number>> = {
  image: 20 * 1_048_576,
  video: 200 * 1_048_576,
  music: 50 * 1_048_576,
  model3d: 200 * 1_048_576,
};

const ascii = (bytes: Uint8Array, from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString("latin1");

/** Recognises an image by its first bytes; null for anything else. */
export function imageFormat(bytes: Uint8Array): Format | null {
  if (ascii(bytes, 0, 8) === "\x89PNG\r\n\x1a\n") return { mediaType: "image/png", ending: "png" };
  if (ascii(bytes, 0, 3) === "\xff\xd8\xff") return { mediaType: "image/jpeg", ending: "jpg" };
  if (ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 12) === "WEBP") return { mediaType: "image/webp", ending: "webp" };
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return { mediaType: "image/gif", ending: "gif" };
  return null;
}

/** Recognises a file of a kind by its first bytes; null when it is no such file, whatever the provider called it. */
export function formatOf(kind: MediaKind, bytes: Uint8Array): Format | null {
  switch (kind) {
    case "image":
      return imageFormat(bytes);
    case "video":
      if (ascii(bytes, 4, 8) === "ftyp") return { mediaType: "video/mp4", ending: "mp4" };
      return ascii(bytes, 0, 4) === "\x1aE\xdf\xa3" ? { mediaType: "video/webm", ending: "webm" } : null;
    case "music": {
      if (ascii(bytes, 0, 3) === "ID3" || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0)) {
        return { mediaType: "audio/mpeg", ending: "mp3" };
      }
      if (ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 12) === "WAVE") return { mediaType: "audio/wav", ending: "wav" };
      if (ascii(bytes, 0, 4) === "OggS") return { mediaType: "audio/ogg", ending: "ogg" };
      return ascii(bytes, 0, 4) === "fLaC" ? { mediaType: "audio/flac", ending: "flac" } : null;
    }
    case "model3d":
      return ascii(bytes, 0, 4) === "glTF" ? { mediaType: "model/gltf-binary", ending: "glb" } : null;
  }
}
