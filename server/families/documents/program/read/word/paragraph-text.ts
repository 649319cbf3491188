import type { Look } from "./word-styles.ts";

type Segment = { text: string; isStruck: boolean; rise: Look["rise"]; mark: "added" | "removed" | null };

/** Collects the pieces of a paragraph and writes them with marks for struck, raised, lowered, added and removed text. */
export class ParagraphText {
  #segments: Segment[] = [];

  add(text: string, look: Look, mark: Segment["mark"]): void {
    const segment = { text, isStruck: look.isStruck ?? false, rise: look.rise === "base" ? undefined : look.rise, mark };
    const last = this.#segments.at(-1);
    if (last && last.isStruck === segment.isStruck && last.rise === segment.rise && last.mark === mark) last.text += text;
    else this.#segments.push(segment);
  }

  /** Takes over the pieces of a paragraph that runs on into this one. */
  prepend(earlier: ParagraphText): void {
    this.#segments = [...earlier.#segments, ...this.#segments];
  }

  /** Replaces the text from a place by what `change` makes of it. */
  replaceFrom(place: ParagraphPlace, change: (text: string) => string): void {
    const first = this.#segments[place.segments - 1];
    const kept = first ? first.text.slice(0, place.chars) : "";
    const rest = first ? [{ ...first, text: first.text.slice(place.chars) }, ...this.#segments.slice(place.segments)] : this.#segments;
    const inner = rest.map(written).join("");
    this.#segments = this.#segments.slice(0, place.segments);
    if (first) this.#segments[place.segments - 1] = { ...first, text: kept };
    const text = change(inner);
    if (text !== "") this.#segments.push({ text, isStruck: false, rise: undefined, mark: null });
  }

  place(): ParagraphPlace {
    return { segments: this.#segments.length, chars: this.#segments.at(-1)?.text.length ?? 0 };
  }

  get isEmpty(): boolean {
    return this.#segments.every(({ text }) => text.trim() === "");
  }

  toString(): string {
    return this.#segments.map(written).join("");
  }
}

export type ParagraphPlace = { segments: number; chars: number };

function written({ text, isStruck, rise, mark }: Segment): string {
  const [, before = "", inner = "", after = ""] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  if (inner === "") return text;
  let marked = inner;
  if (rise) marked = rise === "super" ? `^${marked}^` : `~${marked}~`;
  if (isStruck) marked = `~~${marked}~~`;
  if (mark) marked = mark === "added" ? `{++${marked}++}` : `{--${marked}--}`;
  return `${before}${marked}${after}`;
}
