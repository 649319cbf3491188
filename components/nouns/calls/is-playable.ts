/** Media types that browsers play; they hold no program and no address. */
const playedTypes = { audio: ["audio/mpeg", "audio/wav", "audio/ogg", "audio/flac"], video: ["video/mp4", "video/webm"] } as const;
/** Larger files are only downloaded, because a player holds all of it in memory. */
const maxBytes = 100_000_000;

/** Returns the element that plays a tool's file; null for a file that is only offered as a download. */
export function playerOf({ mediaType, bytes }: { mediaType: string; bytes: number }): "audio" | "video" | null {
  if (bytes > maxBytes) return null;
  if ((playedTypes.audio as readonly string[]).includes(mediaType)) return "audio";
  return (playedTypes.video as readonly string[]).includes(mediaType) ? "video" : null;
}
