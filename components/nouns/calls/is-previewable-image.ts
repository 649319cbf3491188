/** Image types that contain only pixels; SVG can contain scripts and addresses. */
const drawnTypes: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const maxBytes = 5_000_000;
/** Limit of pixels, because a small file can decode to a picture that fills a phone's memory. */
const maxPixels = 50_000_000;

type Part = { mediaType: string; bytes: number; image?: { width: number; height: number } | undefined };

/** Returns whether the console draws a tool's file instead of only offering a download. */
export function isPreviewableImage({ mediaType, bytes, image }: Part): boolean {
  return drawnTypes.includes(mediaType) && bytes <= maxBytes && image !== undefined && image.width * image.height <= maxPixels;
}
