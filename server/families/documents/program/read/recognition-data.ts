import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

const scope = "@tesseract.js-data";
/** The folder of each package that holds the data of the newer engine. */
const variant = "4.0.0_best_int";
/** The data that finds a page's script, which is no language. */
const scriptCode = "osd";
/** Languages of one recognition; each makes it slower. */
const maxLanguages = 6;

/** A language and the folder of its data. */
export type Language = { code: string; folder: string };

/**
 * Finds the installed languages of text recognition, English first, because its data also reads digits and signs best.
 * @param packages the folder node_modules
 */
export function installedLanguages(packages: string): Language[] {
  const folder = path.join(packages, scope);
  const codes = existsSync(folder)
    ? readdirSync(folder).sort((a, b) => Number(b === "eng") - Number(a === "eng") || a.localeCompare(b))
    : [];
  return codes
    .map((code) => ({ code, folder: path.join(folder, code, variant) }))
    .filter((language) => language.code !== scriptCode && existsSync(dataFile(language)))
    .slice(0, maxLanguages);
}

/** Finds the data that names a page's script; null when it is not installed. */
export function scriptData(packages: string): Language | null {
  // Scripts are found by the older engine.
  const data = { code: scriptCode, folder: path.join(packages, scope, scriptCode, "4.0.0") };
  return existsSync(dataFile(data)) ? data : null;
}

const dataFile = ({ code, folder }: Language): string => path.join(folder, `${code}.traineddata.gz`);
