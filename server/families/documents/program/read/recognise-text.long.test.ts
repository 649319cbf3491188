import pdfmake from "pdfmake";
import sharp from "sharp";
import { expect, test } from "vitest";
import { reading } from "../testing/office-file.ts";
import { scan } from "../testing/scan.ts";
import { fontFiles } from "../write/pdf-fonts.ts";

const turned = (image: Buffer, degrees: number) => sharp(image).rotate(degrees).png().toBuffer();
const invoice = scan(["Invoice number 2042", "Total amount 250 euro"]);
const read = /Invoice number 2042\s+Total amount 250 euro/;

test.each([90, 180, 270])(
  "a scan that was turned by %i degrees is turned back and read, and the result says so",
  async (degrees) => {
    const image = await turned(invoice, degrees);
    const { text, notes } = await reading("image", image);
    expect(text).toMatch(read);
    expect(notes).toEqual(["The picture did not stand upright and was turned."]);
  },
  60_000,
);

test("an upright scan says how surely it was read, and nothing else", async () => {
  const { text, method, notes } = await reading("image", invoice);
  expect(text).toMatch(read);
  expect(method).toMatch(/^OCR in eng, [89]\d% sure$/);
  expect(notes).toEqual([]);
}, 60_000);

test("a page of a TIFF that lies on its side is turned", async () => {
  const tiff = await sharp(await turned(invoice, 90))
    .tiff()
    .toBuffer();
  const { text, notes } = await reading("tiff", tiff);
  expect(text).toMatch(read);
  expect(notes).toEqual(["The picture did not stand upright and was turned."]);
}, 60_000);

test("a sideways page of a scanned PDF is turned and named, also one that is long and narrow", async () => {
  pdfmake.setFonts(fontFiles());
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy(() => true);
  const picture = `data:image/png;base64,${(await turned(invoice, 90)).toString("base64")}`;
  const content = [
    { text: "The first page has text of its own." },
    { image: picture, fit: [280, 1_000] as [number, number], pageBreak: "before" as const },
  ];
  const pageSize = { width: 320, height: 1_100 };
  const bytes = await pdfmake.createPdf({ content, pageSize, pageMargins: 20, defaultStyle: { font: "Latin" } }).getBuffer();
  const { text, notes, method } = await reading("pdf", bytes);
  expect(text).toMatch(read);
  expect(method).toMatch(/^text layer, OCR in eng, \d+% sure of 1 page$/);
  expect(notes).toEqual(["Page 2 did not stand upright and was turned."]);
}, 60_000);

test("a page in a script without language data is refused with the script and the languages there are", async () => {
  const image = scan(["发票号码 4711", "总金额二百五十元整"], "Chinese");
  await expect(reading("image", image)).rejects.toThrow(
    /script seems to be Han, and text recognition has language data for eng only, .*@tesseract\.js-data\/chi_sim/,
  );
  const { notes } = await reading("image", image, { language: "eng" });
  expect(notes.join()).toMatch(/the text is doubtful, read with low confidence.* Languages: eng\./);
}, 60_000);

test("a language that is not installed is refused with those that are", async () => {
  await expect(reading("image", invoice, { language: "deu" })).rejects.toThrow(
    'language: text recognition has no data for "deu", only for eng. An admin can install the package @tesseract.js-data/deu',
  );
});
