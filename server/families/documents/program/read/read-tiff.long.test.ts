import { createCanvas } from "@napi-rs/canvas";
import sharp, { type TiffOptions } from "sharp";
import { expect, test } from "vitest";
import { documentKind } from "@/server/platform/formats/document-kind";
import { reading } from "../testing/office-file.ts";

const size = { width: 900, height: 200 };

function page(text: string): Buffer {
  const canvas = createCanvas(size.width, size.height);
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, size.width, size.height);
  context.fillStyle = "black";
  context.font = "64px DejaVu Sans";
  context.fillText(text, 40, 120);
  return canvas.toBuffer("image/png");
}

/** A TIFF with a page for each text. */
async function tiffOf(texts: readonly string[], options: TiffOptions = {}): Promise<Buffer> {
  const pages = await Promise.all(texts.map((text) => sharp(page(text)).removeAlpha().raw().toBuffer()));
  const raw = { width: size.width, height: size.height * texts.length, channels: 3 as const, pageHeight: size.height };
  return sharp(Buffer.concat(pages), { raw }).toColourspace("b-w").tiff(options).toBuffer();
}

test("the text of a TIFF picture is recognised, also of black and white ones as fax machines write them", async () => {
  for (const options of [{}, { compression: "ccittfax4", bitdepth: 1 }, { compression: "lzw" }] as const) {
    const bytes = await tiffOf(["INVOICE 2042"], options);
    expect(await documentKind("scan.tif", bytes)).toEqual({ kind: "tiff", mediaType: "image/tiff" });
    expect(await reading("tiff", bytes), JSON.stringify(options)).toMatchObject({
      text: "INVOICE 2042",
      method: expect.stringMatching(/^OCR in eng/),
      notes: [],
    });
  }
}, 60_000);

test("a TIFF of several pages is read page by page, and pages selects", async () => {
  const bytes = await tiffOf(["FIRST PAGE", "SECOND PAGE", "THIRD PAGE"]);
  const { text, extent } = await reading("tiff", bytes);
  expect(extent).toBe("3 pages");
  expect(text.split("\n").filter((line) => line.trim() !== "")).toEqual([
    "[Page 1]",
    "FIRST PAGE",
    "[Page 2]",
    "SECOND PAGE",
    "[Page 3]",
    "THIRD PAGE",
  ]);
  expect(await reading("tiff", bytes, { pages: "2" })).toMatchObject({ extent: "page 2 of 3", text: expect.not.stringContaining("FIRST") });
  await expect(reading("tiff", bytes, { pages: "9" })).rejects.toThrow("pages: the picture has 3 pages");
}, 60_000);

test("a damaged TIFF is refused with the reason", async () => {
  await expect(reading("tiff", Buffer.from("49492a0008000000".padEnd(200, "0"), "hex"))).rejects.toThrow("The TIFF picture cannot be read");
});
