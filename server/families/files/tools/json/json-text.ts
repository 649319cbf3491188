import { AppError } from "@/server/platform/errors";

/** A member of an object or an element of a list, as ranges of the text. */
export type JsonMember = { name: string | number; nameStart: number; start: number; end: number };
export type JsonKind = "object" | "list" | "text" | "number" | "boolean" | "null";

const maxDepth = 1_000;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const [quote, slash, star, open, close, openList, closeList, comma, colon] = [...'"/*{}[],:'].map((sign) => sign.charCodeAt(0));

/**
 * Reads places of a JSON text without building its values, so that numbers and formatting stay as written and a large
 * file costs little. Comments and trailing commas are allowed. Nothing recurses, because a file may be nested deeply.
 */
export class JsonText {
  constructor(
    readonly path: string,
    readonly text: string,
  ) {}

  /** Returns where the outermost value begins. */
  start(): number {
    return this.#space(this.text.startsWith("\uFEFF") ? 1 : 0);
  }

  /** Reads the whole text. @throws AppError `invalid` when the text is not one JSON value. */
  assertValid(): void {
    const start = this.start();
    const after = this.#space(this.endOf(start));
    if (after < this.text.length) throw this.#wrong(after, "something follows the value");
  }

  kindAt(start: number): JsonKind {
    const sign = this.text[start];
    if (sign === "{") return "object";
    if (sign === "[") return "list";
    if (sign === '"') return "text";
    if (sign === "n") return "null";
    return sign === "t" || sign === "f" ? "boolean" : "number";
  }

  /** Yields the members of the object or list that begins at a place. */
  *members(start: number): Generator<JsonMember> {
    const isObject = this.text.charCodeAt(start) === open;
    let at = this.#space(start + 1);
    for (let index = 0; !this.#isClose(at); index += 1) {
      const { name, value } = isObject ? this.#name(at) : { name: index, value: at };
      const end = this.endOf(value);
      yield { name, nameStart: at, start: value, end };
      at = this.#next(end, isObject);
    }
  }

  /** Returns the place behind the value that begins at `start`. */
  endOf(start: number): number {
    const containers: boolean[] = [];
    let at = start;
    while (true) {
      const sign = this.text.charCodeAt(at);
      if (sign === open || sign === openList) {
        if (containers.push(sign === open) > maxDepth) throw this.#wrong(at, `it is nested more than ${maxDepth} levels deep`);
        at = this.#space(at + 1);
        if (!this.#isClose(at)) {
          if (sign === open) at = this.#valueAfterName(at);
          continue;
        }
      } else {
        at = this.#scalarEnd(at);
      }
      // Behind a value: leave every container that ends here.
      while (true) {
        const isObject = containers.at(-1);
        if (isObject === undefined) return at;
        const next = this.text.charCodeAt(at) === (isObject ? close : closeList) ? at : this.#next(at, isObject);
        if (!this.#isClose(next)) {
          at = isObject ? this.#valueAfterName(next) : next;
          break;
        }
        if (this.text.charCodeAt(next) !== (isObject ? close : closeList)) throw this.#wrong(next, "the wrong bracket closes here");
        containers.pop();
        at = next + 1;
        const outer = containers.at(-1);
        if (outer === undefined) return at;
        at = this.#space(at);
        if (this.text.charCodeAt(at) === (outer ? close : closeList)) continue;
      }
    }
  }

  #isClose(at: number): boolean {
    const sign = this.text.charCodeAt(at);
    return sign === close || sign === closeList;
  }

  /** Returns the next member behind a value, or the closing bracket. */
  #next(end: number, isObject: boolean): number {
    const at = this.#space(end);
    if (this.text.charCodeAt(at) === (isObject ? close : closeList)) return at;
    if (this.text.charCodeAt(at) !== comma) throw this.#wrong(at, "a comma or the closing bracket is missing");
    return this.#space(at + 1);
  }

  #name(at: number): { name: string; value: number } {
    const value = this.#valueAfterName(at);
    return { name: this.#string(at, this.#stringEnd(at)), value };
  }

  #valueAfterName(at: number): number {
    if (this.text.charCodeAt(at) !== quote) throw this.#wrong(at, "a name in double quotes is missing");
    const after = this.#space(this.#stringEnd(at));
    if (this.text.charCodeAt(after) !== colon) throw this.#wrong(after, "a colon is missing");
    return this.#space(after + 1);
  }

  #string(start: number, end: number): string {
    try {
      return JSON.parse(this.text.slice(start, end)) as string;
    } catch {
      throw this.#wrong(start, "the name is not a valid text");
    }
  }

  #scalarEnd(at: number): number {
    if (this.text.charCodeAt(at) === quote) return this.#stringEnd(at);
    scalar.lastIndex = at;
    if (!scalar.test(this.text)) throw this.#wrong(at, at >= this.text.length ? "the text ends too early" : "a value is missing");
    return scalar.lastIndex;
  }

  #stringEnd(start: number): number {
    for (let at = this.text.indexOf('"', start + 1); at !== -1; at = this.text.indexOf('"', at + 1)) {
      let backslashes = 0;
      while (this.text[at - 1 - backslashes] === "\\") backslashes += 1;
      if (backslashes % 2 === 0) return at + 1;
    }
    throw this.#wrong(start, "a text has no end");
  }

  #space(from: number): number {
    let at = from;
    while (at < this.text.length) {
      const sign = this.text.charCodeAt(at);
      if (sign === 32 || (sign >= 9 && sign <= 13)) at += 1;
      else if (sign === slash && this.text.charCodeAt(at + 1) === slash) at = this.#after("\n", at);
      else if (sign === slash && this.text.charCodeAt(at + 1) === star) at = this.#after("*/", at + 2);
      else break;
    }
    return at;
  }

  #after(mark: string, at: number): number {
    const found = this.text.indexOf(mark, at);
    return found === -1 ? this.text.length : found + mark.length;
  }

  #wrong(at: number, problem: string): AppError {
    const before = this.text.slice(0, at);
    const line = before.split("\n").length;
    const column = at - before.lastIndexOf("\n");
    return new AppError("invalid", `${this.path} is not JSON: at line ${line}, column ${column}, ${problem}. read_file shows the text.`);
  }
}
