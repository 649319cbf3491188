import { numberText } from "../word/number-text.ts";
import type { Attributes } from "../xml-events.ts";

/** How a piece of text looks: its mark in Markdown, such as "^" of 10^6^, and whether it is hidden. */
export type OdfLook = { mark: string; isHidden: boolean };

type Level = { format: string; prefix: string; suffix: string; start: number; shown: number };

const plain: OdfLook = { mark: "", isHidden: false };
/** Name of the numbering of headings, which no list style can have. */
export const headingNumbers = "text:outline-style";

const formats: Readonly<Record<string, string>> = { a: "lowerLetter", A: "upperLetter", i: "lowerRoman", I: "upperRoman" };
const maxLevels = 10;

/** Collects the styles of an OpenDocument text from the events of its parts, and answers what they mean. */
export class OdfStyles {
  readonly #looks = new Map<string, OdfLook>();
  readonly #levels = new Map<string, Level[]>();
  #text = "";
  #list = "";

  open(name: string, attributes: Attributes): void {
    const styleName = attributes["style:name"] ?? "";
    if (name === "style:style") this.#text = attributes["style:family"] === "text" ? styleName : "";
    else if (name === "style:text-properties" && this.#text) this.#looks.set(this.#text, lookOf(attributes));
    else if (name === "text:list-style") this.#list = styleName;
    else if (name === headingNumbers) this.#list = headingNumbers;
    else if (name === "text:list-level-style-number" || name === "text:outline-level-style") this.#addLevel(attributes);
  }

  look(styleName: string | undefined): OdfLook {
    return this.#looks.get(styleName ?? "") ?? plain;
  }

  /** Returns the number in front of an item, such as "2.1."; null for a bullet. @param counts the counter of each level */
  number(list: string, counts: readonly number[]): string | null {
    const levels = this.#levels.get(list) ?? [];
    const level = levels[counts.length];
    if (!level || level.format === "") return null;
    const from = Math.max(1, counts.length - level.shown + 1);
    const numbers = counts
      .map((count, index) => (index + 1 < from ? null : numberText(count, formats[levels[index + 1]?.format ?? ""] ?? "decimal")))
      .filter((number) => number !== null);
    return `${level.prefix}${numbers.join(".")}${level.suffix}`;
  }

  start(list: string, depth: number): number {
    return this.#levels.get(list)?.[depth]?.start ?? 1;
  }

  #addLevel(attributes: Attributes): void {
    const depth = Number(attributes["text:level"]);
    if (!this.#list || !(depth >= 1 && depth <= maxLevels)) return;
    const levels = this.#levels.get(this.#list) ?? [];
    levels[depth] = {
      format: attributes["style:num-format"] ?? "",
      prefix: attributes["style:num-prefix"] ?? "",
      suffix: attributes["style:num-suffix"] ?? "",
      start: Number(attributes["text:start-value"] ?? 1) || 1,
      shown: Number(attributes["text:display-levels"] ?? 1) || 1,
    };
    this.#levels.set(this.#list, levels);
  }
}

function lookOf(attributes: Attributes): OdfLook {
  const [position = ""] = (attributes["style:text-position"] ?? "").split(" ");
  const raised = position === "super" || Number.parseFloat(position) > 0;
  const lowered = position === "sub" || Number.parseFloat(position) < 0;
  const struck = ["style:text-line-through-style", "style:text-line-through-type"].some((name) => (attributes[name] ?? "none") !== "none");
  return { mark: raised ? "^" : lowered ? "~" : struck ? "~~" : "", isHidden: attributes["text:display"] === "none" };
}
