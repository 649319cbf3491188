/**
 * A response whose whole text is at hand. A web `Response` makes a stream for it, which costs more than everything else
 * that a small answer needs; here the stream is only made when somebody asks for it. Whoever writes to a socket takes
 * the text.
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
