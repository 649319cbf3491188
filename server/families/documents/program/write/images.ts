import { Resvg } from "@resvg/resvg-js";
import type { RenderTask } from "../document-task.ts";
import { packageFile } from "../package-file.ts";
import { assertSelfContained } from "./assert-self-contained.ts";

export type PictureType = "png" | "jpg" | "gif" | "bmp";
/** A picture that every format can hold; size in pixels at 96 dpi. */
export type Picture = { bytes: Uint8Array; type: PictureType; width: number; height: number };

const maxPixels = 40_000_000;
/** Pixels per unit of a drawn SVG, so that it stays sharp in print. */
const svgScale = 2;
const maxSvgSide = 4_000;

/** The pictures of one document by address, with notes about those that are left out. */
export type Pictures = { get: (address: string) => Picture | null; notes: string[] };

/** Checks every image once. SVG is drawn as PNG; what an SVG names outside of itself is not loaded. */
export function loadPictures(images: RenderTask["images"]): Pictures {
  const notes: string[] = [];
  const pictures = new Map<string, Picture>();
  for (const [address, bytes] of Object.entries(images)) {
    try {
      const picture = isSvg(bytes) ? drawSvg(new TextDecoder().decode(bytes)) : measured(bytes);
      if (picture && picture.width * picture.height <= maxPixels) pictures.set(address, picture);
      else notes.push(`The image ${address.slice(0, 200)} was left out, because it is no PNG, JPEG, GIF, BMP or SVG of usual size.`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      notes.push(`The image ${address.slice(0, 200)} was left out: ${reason.slice(0, 200)}`);
    }
  }
  return { get: (address) => pictures.get(address) ?? null, notes };
}

function isSvg(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 2_000)).toString("utf8").trimStart();
  return start.startsWith("<") && /<svg[\s>]/i.test(start);
}

/** Draws an SVG as PNG. */
export function drawSvg(text: string): Picture {
  assertSelfContained(text);
  const fontFiles = [
    packageFile("@embedpdf/fonts-latin", "fonts/NotoSans-Regular.ttf"),
    packageFile("@embedpdf/fonts-latin", "fonts/NotoSans-Bold.ttf"),
    packageFile("@expo-google-fonts/noto-sans-sc", "400Regular/NotoSansSC_400Regular.ttf"),
  ].filter((file) => file !== null);
  const font = { loadSystemFonts: false, fontFiles, defaultFontFamily: "Noto Sans", sansSerifFamily: "Noto Sans" };
  const { width, height } = new Resvg(text, { font });
  const scale = Math.min(svgScale, maxSvgSide / Math.max(width, height, 1));
  const drawn = new Resvg(text, { font, fitTo: { mode: "width", value: Math.max(1, Math.round(width * scale)) } }).render();
  return { bytes: drawn.asPng(), type: "png", width: Math.max(1, width), height: Math.max(1, height) };
}

/** Reads the size from a picture's header; null for other formats. */
function measured(bytes: Uint8Array): Picture | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = Buffer.from(bytes.subarray(0, 8)).toString("latin1");
  const picture = (type: PictureType, width: number, height: number): Picture | null =>
    width > 0 && height > 0 ? { bytes, type, width, height } : null;
  if (start === "\x89PNG\r\n\x1a\n" && bytes.length > 24) return picture("png", view.getUint32(16), view.getUint32(20));
  if (start.startsWith("GIF8") && bytes.length > 10) return picture("gif", view.getUint16(6, true), view.getUint16(8, true));
  if (start.startsWith("BM") && bytes.length > 26) return picture("bmp", view.getInt32(18, true), Math.abs(view.getInt32(22, true)));
  if (!start.startsWith("\xff\xd8")) return null;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    const isSize = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isSize) return picture("jpg", view.getUint16(at + 7), view.getUint16(at + 5));
  }
  return null;
}

/** Fits a picture into a box, without enlarging it. */
export function fitted({ width, height }: Picture, box: { width: number; height: number }): { width: number; height: number } {
  const scale = Math.min(1, box.width / width, box.height / height);
  return { width: Math.max(1, width * scale), height: Math.max(1, height * scale) };
}
