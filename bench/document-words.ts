import path from "node:path";
import { extract } from "../server/families/documents/program/read/extract";
import { documentKind } from "../server/platform/formats/document-kind";
import { fileOfPackage } from "./document-words/published-packages";
import { officeFiles, pdfs, type RealDocument } from "./document-words/real-documents";
import { officeReference, pdfReference } from "./document-words/references";
import { commonInOrder, recall, type WordShare, wordsOf } from "./document-words/word-share";
import type { Line } from "./report";

const targets = { found: 0.99, inOrder: 0.97 };
const wantedFiles = 20;

/** Real documents: how many words of other programs' text ours has, and how many in the same order. */
export async function documentWords(): Promise<Line[]> {
  return [...(await compare("PDF / pdftotext -layout", pdfs)), ...(await compare("DOCX, XLSX, PPTX / LibreOffice", officeFiles))];
}

async function compare(title: string, documents: readonly RealDocument[]): Promise<Line[]> {
  const shares: WordShare[] = [];
  const unmeasured: string[] = [];
  for (const document of documents) {
    const name = `${document.from.name} ${path.basename(document.path)}`;
    try {
      const share = await shareOf(document);
      shares.push(share);
      const isMet = share.found >= targets.found * share.count && share.inOrder >= targets.inOrder * share.count;
      const missing = [...new Set(share.missing)].slice(0, 12).join(" ");
      const figures = `${share.count} words, ${percent(share.found, share.count)} found, ${percent(share.inOrder, share.count)} in order`;
      console.error(`  ${isMet ? "   " : "NO "}${name}: ${figures}${missing ? `; missing ${missing}` : ""}`);
    } catch (error) {
      unmeasured.push(name);
      console.error(`  not measured: ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const line = (what: string, of: "found" | "inOrder"): Line => {
    const right = shares.filter((share) => share[of] >= targets[of] * share.count).length;
    const worst = Math.min(1, ...shares.map((share) => share[of] / share.count));
    return {
      measured: `${title}, ${what} in each file${unmeasured.length > 0 ? `, ${unmeasured.length} not measured` : ""}`,
      ours: `${right} of ${shares.length}, worst ${percent(worst, 1)}`,
      target: `>= ${targets[of] * 100} %, >= ${wantedFiles} files`,
      isMet: right === shares.length && shares.length >= wantedFiles,
    };
  };
  return [line("words found", "found"), line("words in order", "inOrder")];
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} %`;

async function shareOf({ from, path: file }: RealDocument): Promise<WordShare> {
  const bytes = await fileOfPackage(from, file);
  const { kind } = await documentKind(path.basename(file, ".gz"), bytes);
  if (kind !== "pdf" && kind !== "docx" && kind !== "xlsx" && kind !== "pptx") throw new Error(`it is read as ${kind}`);
  const parts = kind === "pdf" ? await pdfReference(bytes) : await officeReference(kind, bytes);
  const task = { work: "extract", kind, bytes, sheets: [], method: "text", changes: "accepted", maxChars: 100_000_000 } as const;
  const { text } = await extract(task);
  const share: WordShare = { count: 0, found: 0, inOrder: 0, missing: [] };
  const ownParts = partsOf(text, kind);
  for (const part of parts) {
    const words = (of: string) => wordsOf(kind === "xlsx" ? isoDates(of) : kind === "pptx" ? lowerCase(of) : of);
    const reference = words(part.text);
    const forms = raisedForms(ownParts.get(part.name) ?? "").map(words);
    const [recalled] = forms.map((own) => recall(reference, own)).sort((a, b) => b.found - a.found);
    const orders = [part.text, ...part.otherOrders].map(words);
    share.count += reference.length;
    share.found += recalled?.found ?? 0;
    share.missing.push(...(recalled?.missing ?? []));
    share.inOrder += Math.min(reference.length, Math.max(...orders.flatMap((order) => forms.map((own) => commonInOrder(order, own)))));
  }
  return share;
}

/** LibreOffice writes dates as its language does, month first, and ours in the form of ISO 8601. */
const isoDates = (text: string): string => text.replaceAll(/\b(\d\d)\/(\d\d)\/(\d{4})\b/g, "$3-$1-$2");
/** A printed slide shows its small capitals as capitals. */
const lowerCase = (text: string): string => text.toLowerCase();
/** Ours writes raised signs as `^2^` and marks of notes as `[^2]`; others join them to the word before or after. */
const raisedForms = (text: string): string[] => [text, text.replaceAll(/\[\^(\w+)\]/g, "$1").replaceAll(/\^(\S{1,4}?)\^/g, "$1")];

/** Splits a result at the headings of its pages, shown slides or sheets, by their numbers or names. */
function partsOf(text: string, kind: "pdf" | "docx" | "xlsx" | "pptx"): Map<string, string> {
  if (kind === "docx") return new Map([["", text]]);
  const heading = { pdf: /^\[Page (\d+)\]$/m, pptx: /^## Slide (\d+(?: \(hidden\))?)$/m, xlsx: /^## Sheet \d+: (.+?)(?: \(hidden\))?$/m }[
    kind
  ];
  const [, ...pieces] = text.split(heading);
  const named = pieces.flatMap((name, at) => (at % 2 === 0 ? [[name, pieces[at + 1] ?? ""] as const] : []));
  if (kind !== "pptx") return new Map(named);
  // LibreOffice prints no hidden slides.
  return new Map(named.filter(([name]) => !name.endsWith("(hidden)")).map(([, slide], at) => [String(at + 1), slide]));
}
