/**
 * A response with its whole text in memory. `sendResponse` writes the text to the socket. The web stream is created only
 * on demand, because for a small answer a stream costs more than everything else.
 */
export class TextResponse extends Response {
  readonly wholeText: string;
  #streamed: Response | null = null;

  constructor(text: string, init: { status: number; headers: Record<string, string> }) {
    super(null, init);
    this.wholeText = text;
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
