/** Collects lines of text up to a number of characters. */
export class TextBudget {
  readonly #lines: string[] = [];
  #left: number;
  /** True when a line did not fit. */
  isTruncated = false;

  constructor(maxChars: number) {
    this.#left = maxChars;
  }

  get isFull(): boolean {
    return this.isTruncated;
  }

  /** Returns whether the whole line fitted. */
  add(line: string): boolean {
    if (this.isTruncated) return false;
    if (line.length + 1 > this.#left) {
      this.#lines.push(line.slice(0, this.#left).toWellFormed());
      this.isTruncated = true;
      return false;
    }
    this.#left -= line.length + 1;
    this.#lines.push(line);
    return true;
  }

  toString(): string {
    return this.#lines
      .join("\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim();
  }
}
