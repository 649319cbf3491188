import { DocumentError } from "../document-error.ts";
import type { Extracted } from "../document-task.ts";
import { reportProgress } from "../report-progress.ts";
import { extentOf, type NumberRanges } from "./number-ranges.ts";
import { maxRecognised, recognitionMs, startRecognition } from "./recognise-text.ts";
import { RecognisedPages } from "./recognised-pages.ts";
import { TextBudget } from "./text-budget.ts";

/** Pixels of the largest page that is decoded. */
const maxPixels = 100_000_000;
/** A page of 300 dots per inch. More only takes longer. */
const drawn = { width: 2_480, height: 3_508 };

/** Recognises the text of a TIFF picture, page by page, because scanners write all pages of a document into one. */
export async function readTiff(bytes: Uint8Array, wanted: NumberRanges, maxChars: number, language?: string): Promise<Extracted> {
  const pictures = await openTiff(bytes);
  const numbers = Array.from({ length: pictures.pages }, (_, index) => index + 1).filter((number) => wanted.has(number));
  if (numbers.length === 0) throw new DocumentError("invalid", `pages: the picture has ${pictures.pages} pages.`);
  const recognition = await startRecognition(language);
  try {
    const budget = new TextBudget(maxChars);
    const endsAt = performance.now() + recognitionMs;
    const read: number[] = [];
    const recognised = new RecognisedPages(() => recognition.languages);
    for (const number of numbers) {
      if (budget.isFull || read.length === maxRecognised || performance.now() > endsAt) break;
      reportProgress(`Recognising the text of page ${number} of ${pictures.pages}`);
      const text = recognised.add(number, await recognition.recognise(await pictures.draw(number)));
      budget.add(pictures.pages === 1 ? text : `\n[Page ${number}]\n${text}`);
      read.push(number);
    }
    const next = numbers[read.length];
    return {
      text: budget.toString(),
      method: recognised.method(),
      extent: extentOf("page", read, pictures.pages),
      isTruncated: budget.isTruncated,
      notes: [
        ...recognised.notes(pictures.pages === 1 ? "Picture" : "Page"),
        ...(next === undefined ? [] : [`Go on with pages "${next}-".`]),
      ],
    };
  } finally {
    await recognition.close();
  }
}

type Pictures = { pages: number; draw: (number: number) => Promise<Uint8Array> };

async function openTiff(bytes: Uint8Array): Promise<Pictures> {
  const loaded = await import("sharp").catch(() => null);
  if (!loaded) {
    throw new DocumentError(
      "unavailable",
      "TIFF pictures need the package sharp, which is not installed for this platform. Convert it to PNG.",
    );
  }
  const damaged = (error: unknown): never => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DocumentError("invalid", `The TIFF picture cannot be read: ${reason.slice(0, 200)}`);
  };
  const open = (page: number) => loaded.default(bytes, { page, limitInputPixels: maxPixels });
  const { pages = 1 } = await open(0).metadata().catch(damaged);
  return {
    pages,
    draw: (number) =>
      open(number - 1)
        .autoOrient()
        .flatten({ background: "white" })
        .resize({ ...drawn, fit: "inside", withoutEnlargement: true })
        .png()
        .toBuffer()
        .catch(damaged),
  };
}
