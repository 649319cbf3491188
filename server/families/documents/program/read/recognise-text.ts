import { existsSync } from "node:fs";
import path from "node:path";
import { createWorker, type Worker } from "tesseract.js";
import { DocumentError } from "../document-error.ts";
import { packageFile } from "../package-file.ts";

const maxImageBytes = 40 * 1_048_576;

/** Reads the text of pictures. `close` ends its thread. */
export type TextRecognition = { recognise: (image: Uint8Array) => Promise<string>; close: () => Promise<void> };

/** Starts text recognition with the installed language data; nothing is downloaded. @throws DocumentError without data */
export async function startRecognition(): Promise<TextRecognition> {
  const data = packageFile("@tesseract.js-data/eng", "4.0.0_best_int/eng.traineddata.gz");
  if (!data || !existsSync(data)) {
    throw new DocumentError(
      "unavailable",
      "Text in pictures needs the package @tesseract.js-data/eng, which is not installed. Ask an admin to install it.",
    );
  }
  let failed: (error: unknown) => void = () => {};
  const failure = new Promise<never>((_, reject) => {
    failed = reject;
  });
  failure.catch(() => {});
  const worker: Worker = await Promise.race([
    createWorker("eng", 1, { langPath: path.dirname(data), cacheMethod: "none", gzip: true, errorHandler: (error) => failed(error) }),
    failure,
  ]);
  return {
    recognise: async (image) => {
      if (image.byteLength > maxImageBytes) throw new DocumentError("too_large", "The picture has more than 40 MiB.");
      const { data } = await Promise.race([worker.recognize(Buffer.from(image)), failure]).catch((error) => {
        throw new DocumentError("invalid", `The picture cannot be read: ${String(error?.message ?? error).slice(0, 200)}`);
      });
      return data.text.trim();
    },
    close: async () => {
      await worker.terminate();
    },
  };
}
