import type { ReceivedFile } from "@/db/schema";

const kindsOfMedia = ["image", "audio", "video"] as const;

/** Kind of a received file by its media type. */
export const kindOfFile = (mediaType: string | null): ReceivedFile["kind"] =>
  kindsOfMedia.find((kind) => mediaType?.startsWith(`${kind}/`)) ?? "file";
