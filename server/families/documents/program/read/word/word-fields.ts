import { linked } from "../office/relations.ts";
import type { Attributes } from "../xml-events.ts";
import type { ParagraphPlace } from "./paragraph-text.ts";
import { symbolText } from "./symbol-fonts.ts";
import { isOn } from "./word-styles.ts";

type Replace = (place: ParagraphPlace, change: (text: string) => string) => void;
type Field = { instruction: string; place: ParagraphPlace; box: boolean | null; choices: string[]; chosen: number };

/** Follows the fields of a document: links, old form fields and old equations, whose text is not in the result. */
export class WordFields {
  readonly #open: Field[] = [];

  addInstruction(text: string): void {
    const field = this.#open.at(-1);
    if (field) field.instruction = (field.instruction + text).slice(0, 2_000);
  }

  /** Follows the begin, the middle and the end of a field. */
  mark(type: string, place: ParagraphPlace, replace: Replace): void {
    if (type === "begin") this.#open.push({ instruction: "", place, box: null, choices: [], chosen: 0 });
    const field = this.#open.at(-1);
    if (!field) return;
    if (type === "separate") field.place = place;
    if (type !== "end") return;
    this.#open.pop();
    const instruction = field.instruction.trim();
    const word = /^\S*/.exec(instruction)?.[0].toUpperCase() ?? "";
    const quoted = /^\S*\s+(?:"([^"]*)"|(\S+))/.exec(instruction);
    if (word === "HYPERLINK" && !/\\l/.test(instruction)) replace(field.place, (text) => linked(text, quoted?.[1] ?? quoted?.[2]));
    else if (word === "FORMCHECKBOX") replace(field.place, () => (field.box ? "☒" : "☐"));
    else if (word === "FORMDROPDOWN") replace(field.place, (text) => text.trim() || field.choices[field.chosen] || "");
    else if (word === "EQ") replace(field.place, (text) => text.trim() || `[equation: ${instruction.slice(2).trim().slice(0, 500)}]`);
    else if (word === "SYMBOL") {
      const font = /\\f\s+"?([^"\\]+)"?/.exec(instruction)?.[1]?.trim() ?? "";
      replace(field.place, (text) => text.trim() || symbolText(font, Number(quoted?.[2]) || 0));
    }
  }

  /** Takes in the state of an old form field; returns whether the element belongs to one. */
  formElement(name: string, attributes: Attributes): boolean {
    const field = this.#open.at(-1);
    const value = attributes["w:val"];
    if (!field) return false;
    if (name === "w:checkBox") field.box = false;
    else if (field.box !== null && (name === "w:default" || name === "w:checked")) field.box = isOn(value);
    else if (name === "w:listEntry") field.choices.push(value ?? "");
    else if (name === "w:result") field.chosen = Number(value) || 0;
    else return false;
    return true;
  }
}
