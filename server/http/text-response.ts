import type { ServerResponse } from "node:http";

/**
 * A response with its whole text in memory. `sendResponse` writes the text to the socket. Web headers and the web stream
 * are created only on demand, because for a small answer they cost more than everything else.
 */
export class TextResponse extends Response {
  readonly wholeText: string;
  readonly #given: Readonly<Record<string, string>>;
  #headers: Headers | null = null;
  #streamed: Response | null = null;

  constructor(text: string, { status, headers }: { status: number; headers: Record<string, string> }) {
    super(null, { status });
    this.wholeText = text;
    this.#given = headers;
  }

  override get headers(): Headers {
    this.#headers ??= new Headers(this.#given);
    return this.#headers;
  }

  /** Sets the headers of a Node response. */
  writeHeaders(outgoing: ServerResponse): void {
    if (this.#headers) outgoing.setHeaders(this.#headers);
    else for (const name in this.#given) outgoing.setHeader(name, this.#given[name] ?? "");
  }

  get #web(): Response {
    this.#streamed ??= new Response(this.wholeText, { status: this.status, headers: this.headers });
    return this.#streamed;
  }

  override get body() {
    return this.#web.body;
  }
  override get bodyUsed() {
    return this.#web.bodyUsed;
  }
  override arrayBuffer() {
    return this.#web.arrayBuffer();
  }
  override blob() {
    return this.#web.blob();
  }
  override bytes() {
    return this.#web.bytes();
  }
  override clone() {
    return this.#web.clone();
  }
  override formData() {
    return this.#web.formData();
  }
  override json() {
    return this.#web.json();
  }
  override text() {
    return this.#web.text();
  }
}
