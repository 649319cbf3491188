/** Counts what a reader does not show, or shows otherwise than the document does, so that the result can say so. */
export class LeftOut {
  readonly #counts = new Map<string, number>();

  /** @param noun singular, such as "picture" */
  add(noun: string, count = 1): void {
    if (count > 0) this.#counts.set(noun, (this.#counts.get(noun) ?? 0) + count);
  }

  /** Returns one sentence, such as "Left out: 2 pictures, 1 comment."; none when everything is shown. */
  sentences(): string[] {
    const counted = [...this.#counts].map(([noun, count]) => countOf(noun, count));
    return counted.length === 0 ? [] : [`Left out: ${counted.join(", ")}.`];
  }
}

/** "1 picture", "2 pictures", "2 characters of hidden text". */
export function countOf(noun: string, count: number): string {
  if (count === 1) return `1 ${noun}`;
  const [, head = noun, rest = ""] = /^(.*?)( (?:of|with|without|in) .*)?$/.exec(noun) ?? [];
  return `${count.toLocaleString("en")} ${head}s${rest}`;
}
