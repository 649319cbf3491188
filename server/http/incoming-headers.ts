import type { IncomingHttpHeaders } from "node:http";

/**
 * The headers of a Node request as web `Headers`. Looking up single names reads Node's headers; everything else makes
 * real `Headers` first, which costs more than all look-ups of a request.
 */
export class IncomingHeaders extends Headers {
  readonly #incoming: IncomingHttpHeaders;
  #made: Headers | null = null;

  constructor(incoming: IncomingHttpHeaders) {
    super();
    this.#incoming = incoming;
  }

  get #all(): Headers {
    if (this.#made) return this.#made;
    this.#made = new Headers();
    for (const name in this.#incoming) {
      const value = this.#incoming[name];
      if (value !== undefined) this.#made.append(name, typeof value === "string" ? value : value.join(", "));
    }
    return this.#made;
  }

  override get(name: string): string | null {
    if (this.#made) return this.#made.get(name);
    const known = name.toLowerCase();
    const value = Object.hasOwn(this.#incoming, known) ? this.#incoming[known] : undefined;
    return value === undefined ? null : typeof value === "string" ? value : value.join(", ");
  }
  override has(name: string): boolean {
    return this.get(name) !== null;
  }
  override append(name: string, value: string): void {
    this.#all.append(name, value);
  }
  override delete(name: string): void {
    this.#all.delete(name);
  }
  override set(name: string, value: string): void {
    this.#all.set(name, value);
  }
  override getSetCookie(): string[] {
    return this.#all.getSetCookie();
  }
  override forEach(callback: (value: string, name: string, parent: Headers) => void, thisArgument?: unknown): void {
    this.#all.forEach(callback, thisArgument);
  }
  override entries() {
    return this.#all.entries();
  }
  override keys() {
    return this.#all.keys();
  }
  override values() {
    return this.#all.values();
  }
  override [Symbol.iterator]() {
    return this.#all[Symbol.iterator]();
  }
}
