const maxHeadChars = 16_000;
const maxTailChars = 64_000;

/** Beginning and end of a text that grows without limit. */
export class BoundedLog {
  #head = "";
  #tail = "";
  /** Characters so far, also those left out. */
  length = 0;

  append(text: string): void {
    this.length += text.length;
    const toHead = text.slice(0, Math.max(0, maxHeadChars - this.#head.length));
    this.#head += toHead;
    this.#tail += text.slice(toHead.length);
    // Cut rarely, because each cut copies the tail.
    if (this.#tail.length > 2 * maxTailChars) this.#tail = this.#tail.slice(-maxTailChars);
  }

  /** Returns the text from a position on; a line stands for the part that is no longer kept. */
  since(position: number): string {
    const tailStart = this.length - this.#tail.length;
    if (position >= tailStart) return this.#tail.slice(position - tailStart);
    const head = this.#head.slice(position);
    const leftOut = tailStart - Math.max(position, this.#head.length);
    return `${head}${leftOut > 0 ? `\n[... ${leftOut.toLocaleString("en")} characters left out ...]\n` : ""}${this.#tail}`;
  }
}
