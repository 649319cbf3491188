import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { output } from "./published-packages";

/** The text of a part of a document, in the orders in which other programs read it. */
export type ReferencePart = { name: string; text: string; otherOrders: string[] };

/** Returns the text of each page by `pdftotext -layout`. */
export const pdfReference = (bytes: Uint8Array): Promise<ReferencePart[]> =>
  inFolder(async (folder) => {
    await writeFile(path.join(folder, "document.pdf"), bytes);
    return pagesOf(folder);
  });

/** Returns the text that LibreOffice exports: whole, of each sheet, or of each slide as it stands on the printed page. */
export const officeReference = (kind: "docx" | "xlsx" | "pptx", bytes: Uint8Array): Promise<ReferencePart[]> =>
  inFolder(async (folder) => {
    await writeFile(path.join(folder, `document.${kind}`), bytes);
    const exported = { docx: "txt:Text (encoded):UTF8", xlsx: csvOfEachSheet, pptx: "pdf" }[kind];
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    output("soffice", [profile, "--headless", "--norestore", "--nologo", "--convert-to", exported, `document.${kind}`], folder);
    if (kind === "pptx") return pagesOf(folder);
    const names = (await readdir(folder)).filter((name) => /\.(?:txt|csv)$/.test(name));
    if (names.length === 0) throw new Error("LibreOffice wrote no text");
    const text = async (name: string) => (await readFile(path.join(folder, name), "utf8")).replace(/^\ufeff/, "");
    return Promise.all(names.map(async (name) => ({ name: sheetName(name), text: await text(name), otherOrders: [] })));
  });

/** LibreOffice ends the name of a file that it may not take with " -1". */
const sheetName = (file: string): string => /^document-(.+?)(?: -\d+)?\.csv$/.exec(file)?.[1] ?? "";

/** Tokens of the filter: comma, quotes, UTF-8, from line 1, contents as shown, and all sheets (-1). */
const csvOfEachSheet = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1";

/**
 * Reads the pages of `document.pdf`. `-layout` writes columns of prose beside one another, line by line, which is not the
 * order in which people read them, so the order is also compared with that of the other modes.
 */
async function pagesOf(folder: string): Promise<ReferencePart[]> {
  const inMode = (...mode: string[]) => output("pdftotext", [...mode, "-enc", "UTF-8", "document.pdf", "-"], folder).split("\f");
  const [layout = [], ...others] = [inMode("-layout"), inMode(), inMode("-raw")];
  return layout.slice(0, -1).map((text, at) => ({ name: String(at + 1), text, otherOrders: others.map((pages) => pages[at] ?? "") }));
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), "handrail-bench-words-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
