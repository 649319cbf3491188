import type { Attributes } from "../xml-events.ts";
import { headingNumbers, type OdfStyles } from "./odf-styles.ts";

type List = { style: string; count: number; isItemNew: boolean };
const maxIndent = 8;

/** Numbers the items of lists and the headings of an OpenDocument text as their styles say. */
export class OdfLists {
  readonly #styles: OdfStyles;
  readonly #open: List[] = [];
  /** Counters of the top levels of ended lists, for lists that go on with their numbers. */
  readonly #ended = new Map<string, number>();
  readonly #headings: number[] = [];

  constructor(styles: OdfStyles) {
    this.#styles = styles;
  }

  openList(attributes: Attributes): void {
    const style = attributes["text:style-name"] ?? this.#open.at(-1)?.style ?? "";
    const depth = this.#open.length + 1;
    const goesOn = attributes["text:continue-numbering"] === "true" || attributes["text:continue-list"] !== undefined;
    const before = goesOn && depth === 1 ? this.#ended.get(style) : undefined;
    this.#open.push({ style, count: before ?? this.#styles.start(style, depth) - 1, isItemNew: false });
  }

  closeList(): void {
    const list = this.#open.pop();
    if (list && this.#open.length === 0) this.#ended.set(list.style, list.count);
  }

  openItem(attributes: Attributes): void {
    const list = this.#open.at(-1);
    if (!list) return;
    const start = Number(attributes["text:start-value"]);
    list.count = start > 0 ? start : list.count + 1;
    list.isItemNew = true;
  }

  /** Returns what stands in front of a paragraph of a list; null outside of lists. */
  prefix(): string | null {
    const list = this.#open.at(-1);
    if (!list) return null;
    const indent = "  ".repeat(Math.min(maxIndent, this.#open.length - 1));
    const isFirst = list.isItemNew || list.count < this.#styles.start(list.style, this.#open.length);
    list.isItemNew = false;
    // A further paragraph of an item stands below its text.
    if (!isFirst) return `${indent}  `;
    return `${indent}${
      this.#styles.number(
        list.style,
        this.#open.map(({ count }) => count),
      ) ?? "-"
    } `;
  }

  /** Returns the number of a heading with a space behind; empty for one without. */
  heading(level: number, attributes: Attributes): string {
    if (attributes["text:is-list-header"] === "true") return "";
    const before = this.#headings[level - 1] ?? this.#styles.start(headingNumbers, level) - 1;
    for (let above = 0; above < level - 1; above += 1) this.#headings[above] ??= 1;
    this.#headings.length = level;
    this.#headings[level - 1] = before + 1;
    const number = this.#styles.number(headingNumbers, this.#headings);
    return number ? `${number} ` : "";
  }
}
