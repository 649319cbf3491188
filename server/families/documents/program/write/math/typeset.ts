import { MathJaxMhchemFontExtension } from "@mathjax/mathjax-mhchem-font-extension/mjs/svg.js";
import { liteAdaptor } from "@mathjax/src/js/adaptors/liteAdaptor.js";
import { STATE } from "@mathjax/src/js/core/MathItem.js";
import type { MmlNode } from "@mathjax/src/js/core/MmlTree/MmlNode.js";
import { RegisterHTMLHandler } from "@mathjax/src/js/handlers/html.js";
import { TeX } from "@mathjax/src/js/input/tex.js";
import "@mathjax/src/js/input/tex/ams/AmsConfiguration.js";
import "@mathjax/src/js/input/tex/base/BaseConfiguration.js";
import "@mathjax/src/js/input/tex/boldsymbol/BoldsymbolConfiguration.js";
import "@mathjax/src/js/input/tex/braket/BraketConfiguration.js";
import "@mathjax/src/js/input/tex/cancel/CancelConfiguration.js";
import "@mathjax/src/js/input/tex/cases/CasesConfiguration.js";
import "@mathjax/src/js/input/tex/gensymb/GensymbConfiguration.js";
import "@mathjax/src/js/input/tex/mhchem/MhchemConfiguration.js";
import "@mathjax/src/js/input/tex/newcommand/NewcommandConfiguration.js";
import "@mathjax/src/js/input/tex/textmacros/TextMacrosConfiguration.js";
import "@mathjax/src/js/input/tex/upgreek/UpgreekConfiguration.js";
import { mathjax } from "@mathjax/src/js/mathjax.js";
import { SVG } from "@mathjax/src/js/output/svg.js";
import "@mathjax/src/js/util/asyncLoad/esm.js";
import type { Formula, Run } from "../document-tree.ts";
import type { Drawing } from "../drawing.ts";
import type { MathNode } from "./math-node.ts";
import { lineOf } from "./math-text.ts";

const packages = ["base", "ams", "boldsymbol", "braket", "cancel", "cases", "gensymb", "mhchem", "newcommand", "textmacros", "upgreek"];
const adaptor = liteAdaptor();
RegisterHTMLHandler(adaptor);
const output = new SVG({ fontCache: "none", linebreaks: { inline: false } });
output.addExtension(MathJaxMhchemFontExtension);
const page = mathjax.document("", {
  // Macros that expand without end are refused by these bounds.
  InputJax: new TeX({ packages, maxMacros: 1_000, maxBuffer: 10_240 }),
  OutputJax: output,
});

/** Reads the TeX of each run's formula. Returns sentences about those that are no TeX; they stay as they were written. */
export function readFormulas(runs: readonly Run[]): string[] {
  const notes: string[] = [];
  for (const run of runs) {
    const { formula } = run;
    if (!formula) continue;
    const { root, error } = mathTree(formula);
    if (root) {
      formula.root = root;
      run.text = lineOf(root);
    } else notes.push(`The formula ${formula.source.slice(0, 100)} is shown as it was written: ${error}.`);
  }
  return notes;
}

function mathTree({ source, isDisplay }: Formula): { root?: MathNode; error?: string } {
  try {
    const root = nodeOf(page.convert(source, { display: isDisplay, end: STATE.CONVERT }) as MmlNode);
    const wrong = errorOf(root);
    return wrong === null ? { root } : { error: wrong };
  } catch (error) {
    return { error: error instanceof Error ? error.message.slice(0, 200) : "it cannot be read" };
  }
}

/** Arrows of chemistry that only the font of MathJax has. */
const arrows: Readonly<Record<string, string>> = {
  "\ue408": "⇌",
  "\ue409": "⇌",
  "\ue40a": "⇌",
  "\ue428": "←",
  "\ue42a": "↔",
  "\ue42b": "⇄",
  "\ue42c": "←",
  "\ue42e": "↔",
};

/** Classes of TeX for the brackets of \\left and \\right. */
const fences: Readonly<Record<number, string>> = { 4: "open", 5: "close" };

function nodeOf(node: MmlNode): MathNode {
  const children = (node.childNodes ?? []) as MmlNode[];
  const text = children.filter(({ kind }) => kind === "text").map((child) => (child as unknown as { getText: () => string }).getText());
  const elements = children.filter((child) => child.kind !== "text" && child.kind !== "XML").map(nodeOf);
  // A row that MathJax only infers is no element.
  const inner = elements.flatMap((child) => (child.kind === "inferredMrow" ? child.children : [child]));
  const given = Object.entries(node.attributes?.getAllAttributes() ?? {}).map(([name, value]) => [name, String(value)]);
  const fence = fences[Number(node.getProperty("texClass"))];
  const shown = text.join("").replaceAll(/[\ue400-\ue4ff]/g, (sign) => arrows[sign] ?? "→");
  return { kind: node.kind, text: shown, attributes: { ...Object.fromEntries(given), ...(fence ? { fence } : {}) }, children: inner };
}

function errorOf(node: MathNode): string | null {
  if (node.kind === "merror") return node.attributes["data-mjx-error"] ?? "it cannot be read";
  for (const child of node.children) {
    const error = errorOf(child);
    if (error !== null) return error;
  }
  return null;
}

/** Draws a formula as outlines. */
export async function drawFormula({ source, isDisplay }: Formula, colour: string): Promise<Drawing> {
  const container = await page.convertPromise(source, { display: isDisplay, em: 16, ex: 8, containerWidth: 1_000_000 });
  const svg = adaptor.outerHTML(adaptor.firstChild(container) as Parameters<typeof adaptor.outerHTML>[0]);
  const [, left = 0, top = 0, width = 0, height = 0] = (/viewBox="(\S+) (\S+) (\S+) (\S+)"/.exec(svg) ?? []).map(Number);
  const drawn = svg
    .replaceAll("currentColor", colour)
    // The box around the formula as TeX has it, without the sizes that a page of the web gives it.
    .replace(/<svg\b[^>]*>/, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} ${top} ${width} ${height}">`)
    .replaceAll(/ data-[\w-]+="[^"]*"/g, "");
  return { svg: drawn, width: width / 1_000, ascent: -top / 1_000, descent: (height + top) / 1_000 };
}
