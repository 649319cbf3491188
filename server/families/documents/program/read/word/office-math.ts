import { childOf, childrenOf, type XmlNode } from "../office/xml-tree.ts";
import { functionNames, latexSigns } from "./math-signs.ts";

/** Writes an equation of Office as LaTeX. @param isShown says whether a tracked change is shown */
export function latexOf(node: XmlNode, isShown: (change: string) => boolean): string {
  return new Writer(isShown).inside(node).replaceAll(/ {2,}/g, " ").trim();
}

class Writer {
  readonly #isShown: (change: string) => boolean;

  constructor(isShown: (change: string) => boolean) {
    this.#isShown = isShown;
  }

  inside(node: XmlNode | undefined): string {
    return (node?.children ?? []).map((child) => this.#element(child)).join("");
  }

  #part(node: XmlNode, name: string): string {
    return this.inside(childOf(node, name)).trim();
  }

  #element(node: XmlNode): string {
    const part = (name: string) => this.#part(node, name);
    const property = (name: string) => valueIn(childOf(childOf(node, `${node.name}Pr`), name));
    switch (node.name) {
      case "m:r":
        return runText(node);
      case "m:f": {
        const kind = property("m:type");
        if (kind === "noBar") return `\\binom{${part("m:num")}}{${part("m:den")}}`;
        return kind === "lin" || kind === "skw" ? `{${part("m:num")}}/{${part("m:den")}}` : `\\frac{${part("m:num")}}{${part("m:den")}}`;
      }
      case "m:sSup":
        return `${base(part("m:e"))}^{${part("m:sup")}}`;
      case "m:sSub":
        return `${base(part("m:e"))}_{${part("m:sub")}}`;
      case "m:sSubSup":
        return `${base(part("m:e"))}_{${part("m:sub")}}^{${part("m:sup")}}`;
      case "m:sPre":
        return `{}_{${part("m:sub")}}^{${part("m:sup")}}${part("m:e")}`;
      case "m:rad": {
        const degree = part("m:deg");
        return degree === "" ? `\\sqrt{${part("m:e")}}` : `\\sqrt[${degree}]{${part("m:e")}}`;
      }
      case "m:nary": {
        const sign = signs(property("m:chr") ?? "∫").trim();
        const [low, high] = [part("m:sub"), part("m:sup")];
        return `${sign}${low ? `_{${low}}` : ""}${high ? `^{${high}}` : ""} ${part("m:e")} `;
      }
      case "m:d":
        return this.#delimited(node, property("m:begChr") ?? "(", property("m:sepChr") ?? "|", property("m:endChr") ?? ")");
      case "m:m": {
        const rows = childrenOf(node, "m:mr").map((row) =>
          childrenOf(row, "m:e")
            .map((cell) => this.inside(cell).trim())
            .join(" & "),
        );
        return `\\begin{matrix} ${rows.join(" \\\\ ")} \\end{matrix}`;
      }
      case "m:eqArr":
        return `\\begin{aligned} ${childrenOf(node, "m:e")
          .map((line) => this.inside(line).trim())
          .join(" \\\\ ")} \\end{aligned}`;
      case "m:func":
        return `${this.#functionName(childOf(node, "m:fName"))}{${part("m:e")}}`;
      case "m:limLow":
        return `${limited(part("m:e"))}_{${part("m:lim")}}`;
      case "m:limUpp":
        return `${limited(part("m:e"))}^{${part("m:lim")}}`;
      case "m:acc":
        return `${accents[property("m:chr") ?? "\u0302"] ?? "\\hat"}{${part("m:e")}}`;
      case "m:bar":
        return `${property("m:pos") === "top" ? "\\overline" : "\\underline"}{${part("m:e")}}`;
      case "m:groupChr":
        return property("m:chr") === "⏞" ? `\\overbrace{${part("m:e")}}` : `\\underbrace{${part("m:e")}}`;
      case "m:borderBox":
        return `\\boxed{${part("m:e")}}`;
      case "m:phant":
        return property("m:show") === "0" ? "" : part("m:e");
      default:
        if (/^w:(ins|del|moveFrom|moveTo)$/.test(node.name)) return this.#isShown(node.name) ? this.inside(node) : "";
        return /Pr$/.test(node.name) ? "" : this.inside(node);
    }
  }

  #delimited(node: XmlNode, begin: string, separator: string, end: string): string {
    const pieces = childrenOf(node, "m:e").map((piece) => this.inside(piece).trim());
    const inner = pieces.join(` ${signs(separator).trim()} `);
    const matrix = inner.startsWith("\\begin{matrix}") && pieces.length === 1 ? matrices[begin + end] : undefined;
    if (matrix) return inner.replaceAll("{matrix}", `{${matrix}}`);
    if (/^\\begin\{(matrix|aligned)\}/.test(inner) && begin === "{" && end === "") {
      return inner.replace(/^\\begin\{\w+\}/, "\\begin{cases}").replace(/\\end\{\w+\}$/, "\\end{cases}");
    }
    const isHigh = /\\(frac|begin|sum|int|prod|binom|sqrt)/.test(inner);
    const [left, right] = [delimiter(begin), delimiter(end)];
    if (!isHigh && begin !== "" && end !== "") return `${left}${inner}${right}`;
    return `\\left${left || "."} ${inner} \\right${right || "."}`;
  }

  #functionName(node: XmlNode | undefined): string {
    const written = this.inside(node).trim();
    return written.replace(/^(?:\\mathrm\{)?([a-z]+)\}?/, (whole, name: string) => (functionNames.has(name) ? `\\${name}` : whole));
  }
}

const matrices: Readonly<Record<string, string>> = { "()": "pmatrix", "[]": "bmatrix", "{}": "Bmatrix", "||": "vmatrix", "‖‖": "Vmatrix" };
const accents: Readonly<Record<string, string>> = {
  "\u0302": "\\hat",
  "\u0303": "\\tilde",
  "\u0304": "\\bar",
  "\u0305": "\\overline",
  "\u0307": "\\dot",
  "\u0308": "\\ddot",
  "\u20d7": "\\vec",
  "\u030c": "\\check",
  "\u0306": "\\breve",
};

const valueIn = (node: XmlNode | undefined): string | undefined => node && (node.attributes["m:val"] ?? "");
const delimiter = (sign: string): string =>
  ({
    "{": "\\{",
    "}": "\\}",
    "⟨": "\\langle ",
    "⟩": "\\rangle ",
    "‖": "\\|",
    "⌊": "\\lfloor ",
    "⌋": "\\rfloor ",
    "⌈": "\\lceil ",
    "⌉": "\\rceil ",
  })[sign] ?? sign;

/** A base of more than one sign is grouped, so that the index belongs to all of it. */
const base = (text: string): string => (/^(?:.|\d+|\\[a-zA-Z]+ ?|\\mathrm\{\w+\})$/u.test(text) ? text.trim() : `{${text}}`);
const limited = (text: string): string =>
  functionNames.has(text.replace(/^\\mathrm\{(\w+)\}$/, "$1")) ? `\\${text.replace(/^\\mathrm\{(\w+)\}$/, "$1")}` : base(text);

function runText(node: XmlNode): string {
  const text = childrenOf(node, "m:t")
    .concat(childrenOf(node, "w:t"))
    .map(({ text }) => text)
    .join("");
  const properties = childOf(node, "m:rPr");
  const isText = childOf(properties, "m:nor") !== undefined;
  if (isText) return `\\text{${text.replaceAll(/[{}\\$%&#_]/g, "\\$&")}}`;
  const isUpright = valueIn(childOf(properties, "m:sty")) === "p" && /^[A-Za-z]{2,}$/.test(text);
  return isUpright ? (functionNames.has(text) ? `\\${text} ` : `\\mathrm{${text}}`) : signs(text);
}

/** Replaces the signs of mathematics by their commands; letters and digits stay. */
function signs(text: string): string {
  return [...text.normalize("NFKC")]
    .map((sign) => (latexSigns[sign] ? `${latexSigns[sign]} ` : /[{}%&#_$]/.test(sign) ? `\\${sign}` : sign))
    .join("");
}
