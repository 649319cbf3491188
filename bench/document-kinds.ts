import { extract } from "../server/families/documents/program/read/extract";
import { documentKind } from "../server/platform/formats/document-kind";
import type { Input } from "./document-inputs/input";
import { pdfs } from "./document-inputs/pdfs";
import { pictures } from "./document-inputs/pictures";
import { slides } from "./document-inputs/slides";
import { texts } from "./document-inputs/texts";
import { words } from "./document-inputs/words";
import { workbooks } from "./document-inputs/workbooks";
import type { Line } from "./report";

const all: readonly Input[] = [...words, ...workbooks, ...slides, ...pdfs, ...pictures, ...texts];

/** Small files by the kind of mistake that readers make with them: how many are read right. */
export async function documentKinds(): Promise<Line[]> {
  const kinds = new Map<string, { right: number; wrong: string[] }>();
  for (const input of all) {
    const found = kinds.get(input.kind) ?? { right: 0, wrong: [] };
    kinds.set(input.kind, found);
    const fault = await faultOf(input);
    if (fault === null) found.right++;
    else found.wrong.push(`${input.name}: ${fault}`);
  }
  for (const { wrong } of kinds.values()) for (const sentence of wrong) console.error(`  ${sentence}`);
  const lineOf = (measured: string, right: number, count: number): Line => ({
    measured,
    ours: `${right} of ${count} right`,
    target: "all",
    isMet: right === count,
  });
  const lines = [...kinds].map(([kind, { right, wrong }]) => lineOf(`documents, ${kind}`, right, right + wrong.length));
  const right = [...kinds.values()].reduce((sum, kind) => sum + kind.right, 0);
  return [...lines, lineOf(`documents, ${kinds.size} kinds together`, right, all.length)];
}

/** Returns what is wrong with the result of an input; null when it is right. */
async function faultOf({ name, file, must, mustNot = [], options = {} }: Input): Promise<string | null> {
  const read = await readInput(name, await file(), options);
  const missing = must.find((wanted) => !has(read, wanted));
  if (missing !== undefined) return `no ${missing} in ${JSON.stringify(read.slice(0, 500))}`;
  const surplus = mustNot.find((unwanted) => has(read, unwanted));
  return surplus === undefined ? null : `${surplus} in ${JSON.stringify(read.slice(0, 500))}`;
}

const has = (text: string, wanted: string | RegExp): boolean => (typeof wanted === "string" ? text.includes(wanted) : wanted.test(text));

/** Returns the result as a model sees it; a refusal is a result, too. */
async function readInput(name: string, bytes: Uint8Array, options: Input["options"]): Promise<string> {
  const { kind } = await documentKind(name, bytes);
  if (kind === "unknown" || kind === "old" || kind === "encrypted") return `refused as ${kind}`;
  try {
    const task = {
      work: "extract" as const,
      kind,
      bytes,
      sheets: [],
      method: "auto" as const,
      changes: "accepted" as const,
      maxChars: 100_000,
    };
    const { text, method, notes, attachments = [] } = await extract({ ...task, ...options });
    return [method, ...notes, text, ...attachments.map((attachment) => attachment.name)].join("\n");
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : String(error)}`;
  }
}
