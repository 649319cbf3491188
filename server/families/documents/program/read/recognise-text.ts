import { createWorker, type Worker } from "tesseract.js";
import { DocumentError } from "../document-error.ts";
import { packagesFolder } from "../package-file.ts";
import { installedLanguages, type Language } from "./recognition-data.ts";

/** The most pages whose pictures are read in one call, because one takes seconds. */
export const maxRecognised = 20;
/** Recognition begins no further page after this time, so that the call answers within its limit. */
export const recognitionMs = 70_000;
const maxImageBytes = 40 * 1_048_576;

/** Reads the text of pictures. `close` ends its thread. */
export type TextRecognition = { recognise: (image: Uint8Array) => Promise<string>; close: () => Promise<void> };

/** A page read this surely, in percent, is not read in another language. */
const sureEnough = 85;

/**
 * Starts text recognition; nothing is downloaded. With several languages each picture has the text of the language that
 * reads it most surely, because tesseract.js takes data of several packages only one by one.
 * @throws DocumentError without data
 */
export async function startRecognition(): Promise<TextRecognition> {
  const languages = installedLanguages(packagesFolder);
  if (languages.length === 0) {
    throw new DocumentError(
      "unavailable",
      "Text in pictures needs language data, such as the package @tesseract.js-data/eng, which is not installed. Ask an admin to install it.",
    );
  }
  const readers: Reader[] = [];
  return {
    recognise: async (image) => {
      if (image.byteLength > maxImageBytes) throw new DocumentError("too_large", "The picture has more than 40 MiB.");
      let best = { text: "", confidence: -1 };
      for (const [at, language] of languages.entries()) {
        readers[at] ??= await startReader(language);
        const read = await readers[at].read(image);
        if (read.confidence > best.confidence) best = read;
        if (best.confidence >= sureEnough) break;
      }
      return best.text;
    },
    close: async () => {
      for (const { worker } of readers) await worker.terminate();
    },
  };
}

type Reader = { worker: Worker; read: (image: Uint8Array) => Promise<{ text: string; confidence: number }> };

async function startReader({ code, folder }: Language): Promise<Reader> {
  let failed: (error: unknown) => void = () => {};
  const failure = new Promise<never>((_, reject) => {
    failed = reject;
  });
  failure.catch(() => {});
  const worker = await Promise.race([
    createWorker(code, 1, { langPath: folder, cacheMethod: "none", gzip: true, errorHandler: (error) => failed(error) }),
    failure,
  ]);
  const read = async (image: Uint8Array) => {
    const { data } = await Promise.race([worker.recognize(Buffer.from(image)), failure]).catch((error) => {
      throw new DocumentError("invalid", `The picture cannot be read: ${String(error?.message ?? error).slice(0, 200)}`);
    });
    return { text: data.text.trim(), confidence: data.confidence };
  };
  return { worker, read };
}
