/** Kinds of images that hold nothing but pixels; SVG can hold scripts and addresses. */
const drawnTypes: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const mostBytes = 5_000_000;
/** A small file can hold a picture that fills the memory of a phone. */
const mostPixels = 50_000_000;

type Part = { mediaType: string; bytes: number; image?: { width: number; height: number } | undefined };

/** Whether the console draws a file that a tool returned, instead of only offering it for download. */
export function mayBeDrawn({ mediaType, bytes, image }: Part): boolean {
  return drawnTypes.includes(mediaType) && bytes <= mostBytes && image !== undefined && image.width * image.height <= mostPixels;
}
