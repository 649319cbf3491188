import { createWorker, type Worker } from "tesseract.js";
import { DocumentError } from "../document-error.ts";
import { packagesFolder } from "../package-file.ts";
import { installedLanguages, type Language, scriptData } from "./recognition-data.ts";
import { languagesIn } from "./recognition-scripts.ts";
import { type Turn, turnedPicture, turns } from "./turned-picture.ts";

/** The most pages whose pictures are read in one call, because one takes seconds. */
export const maxRecognised = 20;
/** Recognition begins no further page after this time, so that the call answers within its limit. */
export const recognitionMs = 70_000;
const maxImageBytes = 40 * 1_048_576;
/** Readers open at once, each a thread for one language; the process may have no more memory than for one beside them. */
const maxReaders = 2;

/** The text of a picture. `script` is set when no language of this machine is written in it, so that `text` means nothing. */
export type Recognised = { text: string; language: string; confidence: number; turn: Turn; script: string | null };

/** Reads the text of pictures. `close` ends its threads. */
export type TextRecognition = {
  languages: readonly string[];
  recognise: (image: Uint8Array) => Promise<Recognised>;
  close: () => Promise<void>;
};

/** A page read this surely, in percent, is not read in another language. */
const sureEnough = 85;
/** A page read less surely may lie on its side. */
const uprightFrom = 75;
/** A page read less surely may be in another script. */
const knownScriptFrom = 62;

/**
 * Starts text recognition; nothing is downloaded. With several languages each picture has the text of the language that
 * reads it most surely, because tesseract.js takes data of several packages only one by one.
 * @param asked code of the language, found when absent
 * @throws DocumentError without data
 */
export async function startRecognition(asked?: string): Promise<TextRecognition> {
  const installed = installedLanguages(packagesFolder);
  if (installed.length === 0) {
    throw new DocumentError(
      "unavailable",
      "Text in pictures needs language data, such as the package @tesseract.js-data/eng, which is not installed. Ask an admin to install it.",
    );
  }
  const languages = asked === undefined ? installed : [languageOf(asked, installed)];
  const readers = new Map<string, Reader>();
  const scripts = asked === undefined ? lazyScripts() : null;

  const readIn = async (language: Language, image: Uint8Array) => {
    const reader = readers.get(language.code) ?? (await startReader(language));
    readers.delete(language.code);
    readers.set(language.code, reader);
    // The reader that was used longest ago makes room.
    const [eldest] = readers;
    if (eldest && readers.size > maxReaders) {
      readers.delete(eldest[0]);
      await eldest[1].worker.terminate();
    }
    return { ...(await reader.read(image)), language };
  };
  const readBest = async (image: Uint8Array) => {
    let best: Awaited<ReturnType<typeof readIn>> | null = null;
    for (const language of languages) {
      const read = await readIn(language, image);
      if (best === null || read.confidence > best.confidence) best = read;
      if (best.confidence >= sureEnough) break;
    }
    if (best === null) throw new Error("no language");
    return best;
  };
  /** Compares small copies, because the whole picture takes four times as long. */
  const findTurn = async (image: Uint8Array, language: Language): Promise<Turn> => {
    let best: { turn: Turn; score: number } = { turn: 0, score: 0 };
    for (const turn of turns) {
      const small = await turnedPicture(image, turn, { isSmall: true });
      if (!small) return 0;
      const { text, confidence } = await readIn(language, small);
      const score = confidence ** 2 * lettersInWords(text);
      if (score > best.score) best = { turn, score };
    }
    return best.turn;
  };
  return {
    languages: languages.map(({ code }) => code),
    recognise: async (image) => {
      if (image.byteLength > maxImageBytes) throw new DocumentError("too_large", "The picture has more than 40 MiB.");
      let best = await readBest(image);
      let turn: Turn = 0;
      let upright = image;
      if (best.confidence < uprightFrom) {
        const found = await findTurn(image, best.language);
        const turned = found === 0 ? null : await turnedPicture(image, found);
        const read = turned && (await readBest(turned));
        if (turned && read && read.confidence > best.confidence) [best, turn, upright] = [read, found, turned];
      }
      const { text, confidence, language } = best;
      const script = scripts && confidence < knownScriptFrom ? await scripts.unknown(upright, languages) : null;
      return { text, confidence, language: language.code, turn, script };
    },
    close: async () => {
      for (const { worker } of readers.values()) await worker.terminate();
      await scripts?.close();
    },
  };
}

/** @throws DocumentError that names the installed languages */
function languageOf(asked: string, installed: readonly Language[]): Language {
  const found = installed.find(({ code }) => code === asked.toLowerCase());
  if (found) return found;
  const codes = installed.map(({ code }) => code).join(", ");
  throw new DocumentError(
    "invalid",
    `language: text recognition has no data for ${JSON.stringify(asked)}, only for ${codes}. An admin can install the package @tesseract.js-data/${asked.toLowerCase()}, named by the code of ISO 639-2 (chi_sim and chi_tra for Chinese).`,
  );
}

/** Turned text is read as single signs, upright text as words. */
const lettersInWords = (text: string): number => (text.match(/[\p{L}\p{N}]{3,}/gu) ?? []).join("").length;

type Reader = { worker: Worker; read: (image: Uint8Array) => Promise<{ text: string; confidence: number }> };

async function startReader(language: Language): Promise<Reader> {
  const { worker, failure } = await start(language, 1);
  const read = async (image: Uint8Array) => {
    const { data } = await Promise.race([worker.recognize(Buffer.from(image)), failure]).catch(unreadable);
    return { text: data.text.trim(), confidence: data.confidence };
  };
  return { worker, read };
}

/** Finds the script of a page with few words, too; the usual least number is fifty signs. */
const leastSigns = "6";

/** Starts finding scripts at the first picture that needs it. */
function lazyScripts() {
  let started: Awaited<ReturnType<typeof start>> | null = null;
  return {
    /** Returns the picture's script when none of the languages is written in it. */
    unknown: async (image: Uint8Array, languages: readonly Language[]): Promise<string | null> => {
      const data = scriptData(packagesFolder);
      if (!data) return null;
      if (!started) {
        started = await start(data, 0);
        await started.worker.setParameters({ min_characters_to_try: leastSigns } as object);
      }
      const { script } = (await Promise.race([started.worker.detect(Buffer.from(image)), started.failure]).catch(unreadable)).data;
      const known = script === null ? [] : languagesIn(script);
      return known.length === 0 || languages.some(({ code }) => known.includes(code)) ? null : script;
    },
    close: async () => started?.worker.terminate(),
  };
}

function unreadable(error: unknown): never {
  const reason = String(error instanceof Error ? error.message : error);
  throw new DocumentError("invalid", `The picture cannot be read: ${reason.slice(0, 200)}`);
}

/** Starts a thread; a failure in it, which the library throws nowhere, rejects `failure`. */
async function start({ code, folder }: Language, engine: 0 | 1): Promise<{ worker: Worker; failure: Promise<never> }> {
  const { promise: failure, reject: failed } = Promise.withResolvers<never>();
  failure.catch(() => {});
  const isOlder = engine === 0;
  const options = { langPath: folder, cacheMethod: "none", gzip: true, legacyCore: isOlder, legacyLang: isOlder, errorHandler: failed };
  return { worker: await Promise.race([createWorker(code, engine, options), failure]), failure };
}
