import { DocumentError } from "../document-error.ts";
import type { Recognised } from "./recognise-text.ts";
import { languagesIn } from "./recognition-scripts.ts";

/** A page read less surely, in percent, is said to be doubtful. */
const doubtfulBelow = 70;

/** Collects how surely the pages of a document were recognised, and says it. */
export class RecognisedPages {
  readonly #pages = new Map<number, Recognised>();
  readonly #foreign = new Map<number, string>();
  readonly #languages: () => readonly string[];

  /** @param languages codes of the languages that were tried */
  constructor(languages: () => readonly string[]) {
    this.#languages = languages;
  }

  /** Takes a page's result, and returns the text that counts: none for a page in a script that is not known. */
  add(number: number, recognised: Recognised): string {
    if (recognised.script === null) this.#pages.set(number, recognised);
    else this.#foreign.set(number, recognised.script);
    return recognised.script === null ? recognised.text : "[The text of this page is in a script that is not known.]";
  }

  get size(): number {
    return this.#pages.size + this.#foreign.size;
  }

  /** Returns the way in words, such as "OCR in eng, 91% sure". */
  method(): string {
    const read = [...this.#pages.values()].filter(({ text }) => text !== "");
    if (read.length === 0) return "OCR";
    const percents = read.map(({ confidence }) => Math.round(confidence));
    const [least, most] = [Math.min(...percents), Math.max(...percents)];
    const languages = [...new Set(read.map(({ language }) => language))].join(", ");
    return `OCR in ${languages}, ${least === most ? "" : `${least} to `}${most}% sure`;
  }

  /** @throws DocumentError when every page is in a script that is not known, because then there is no text at all */
  notes(noun: "Page" | "Picture"): string[] {
    if (this.#foreign.size > 0 && this.#pages.size === 0) throw new DocumentError("invalid", this.#foreignSentence(noun));
    const those = (holds: (page: Recognised) => boolean) => [...this.#pages].filter(([, page]) => holds(page)).map(([number]) => number);
    const turned = those(({ turn }) => turn !== 0);
    const doubtful = those(({ text, confidence }) => text !== "" && confidence < doubtfulBelow);
    return [
      ...(turned.length > 0 ? [`${named(noun, turned)} did not stand upright and ${turned.length > 1 ? "were" : "was"} turned.`] : []),
      ...(doubtful.length > 0
        ? [
            `${named(noun, doubtful)}: the text is doubtful, read with low confidence. Check names and figures against the picture. Languages: ${this.#languages().join(", ")}.`,
          ]
        : []),
      ...(this.#foreign.size > 0 ? [this.#foreignSentence(noun)] : []),
    ];
  }

  #foreignSentence(noun: "Page" | "Picture"): string {
    const scripts = [...new Set(this.#foreign.values())];
    const [wanted = "rus"] = scripts.flatMap((script) => languagesIn(script));
    const known = this.#languages();
    return `${named(noun, [...this.#foreign.keys()])}: the script seems to be ${scripts.join(" and ")}, and text recognition has language data for ${known.join(", ")} only, so the text could not be read. Ask an admin to install the package @tesseract.js-data/${wanted}; language: "${known[0]}" reads it nevertheless.`;
  }
}

const named = (noun: string, numbers: readonly number[]): string => {
  if (noun === "Picture") return "The picture";
  const shown = numbers.slice(0, 20).join(", ");
  return `${noun}${numbers.length > 1 ? "s" : ""} ${shown}${numbers.length > 20 ? " and others" : ""}`;
};
