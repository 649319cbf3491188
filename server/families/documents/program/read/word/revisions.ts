import type { ChangesMode } from "../../document-task.ts";
import { countOf } from "../left-out.ts";

type Kind = "ins" | "del" | "moveFrom" | "moveTo";

const kinds: Readonly<Record<string, Kind>> = { "w:ins": "ins", "w:del": "del", "w:moveFrom": "moveFrom", "w:moveTo": "moveTo" };

/** Follows the tracked changes around the text that is being read, and counts them. */
export class Revisions {
  readonly mode: ChangesMode;
  readonly #open: Kind[] = [];
  readonly #authors = new Set<string>();
  #changes = 0;
  #movedFrom = 0;
  #formats = 0;
  #last = "";

  constructor(mode: ChangesMode) {
    this.mode = mode;
  }

  static kindOf(name: string): Kind | null {
    return kinds[name] ?? null;
  }

  enter(kind: Kind, author: string | undefined): void {
    this.#open.push(kind);
    this.count(kind, author);
  }

  leave(): void {
    this.#open.pop();
  }

  /** Counts one change; pieces of one that follow each other count once. */
  count(kind: Kind, author = ""): void {
    if (author) this.#authors.add(author);
    const key = `${kind} ${author}`;
    if (this.#last === key) return;
    this.#last = key;
    if (kind === "moveFrom") this.#movedFrom += 1;
    else this.#changes += 1;
  }

  countFormat(): void {
    this.#formats += 1;
  }

  /** Says that text outside of changes was read, so that the next change is another one. */
  pass(): void {
    if (this.#open.length === 0) this.#last = "";
  }

  get isShown(): boolean {
    return this.#open.every((kind) => this.shows(kind));
  }

  shows(kind: Kind): boolean {
    if (this.mode === "marked") return true;
    const isAddition = kind === "ins" || kind === "moveTo";
    return this.mode === "accepted" ? isAddition : !isAddition;
  }

  /** Returns the mark of the text: an addition that was deleted again is a deletion. */
  get mark(): "added" | "removed" | null {
    if (this.mode !== "marked" || this.#open.length === 0) return null;
    return this.#open.some((kind) => kind === "del" || kind === "moveFrom") ? "removed" : "added";
  }

  sentences(): string[] {
    const changes = Math.max(this.#changes, this.#movedFrom);
    const counted = [
      ...(changes > 0 ? [countOf("tracked change", changes)] : []),
      ...(this.#formats > 0 ? [countOf("tracked change of format", this.#formats)] : []),
    ].join(", ");
    if (counted === "") return [];
    const by = this.#authors.size > 0 ? ` by ${[...this.#authors].slice(0, 5).join(", ").slice(0, 200)}` : "";
    const how = {
      accepted: 'shown as accepted; changes: "original" or "marked" shows the text before',
      original: "shown as rejected, the text before them",
      marked: "marked: {++added++}, {--removed--}",
    }[this.mode];
    return [`${counted}${by} ${how}.`];
  }
}
