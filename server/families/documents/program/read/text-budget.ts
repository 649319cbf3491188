/** Collects lines of text up to a number of characters. */
export class TextBudget {
  readonly #lines: string[] = [];
  #left: number;
  #heading: string | null = null;
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
    const heading = this.#heading;
    if (heading !== null && line.trim() !== "") {
      this.#heading = null;
      if (!this.add(heading)) return false;
    }
    if (line.length + 1 > this.#left) {
      this.#lines.push(line.slice(0, this.#left).toWellFormed());
      this.isTruncated = true;
      return false;
    }
    this.#left -= line.length + 1;
    this.#lines.push(line);
    return true;
  }

  /** Sets a line that stands in front of the next text, and is left out when `endSection` comes before any. */
  startSection(heading: string): void {
    this.#heading = heading;
  }

  endSection(): void {
    this.#heading = null;
  }

  toString(): string {
    return this.#lines
      .join("\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim();
  }
}
