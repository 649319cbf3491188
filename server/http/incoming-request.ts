import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { IncomingHeaders } from "./incoming-headers";

/** A fixed origin, because no answer depends on the Host header; code that needs the host reads the header. */
const origin = "http://localhost";

/**
 * A web `Request` on top of Node's request. It is cheap, because headers, signal and body are created on first use, and
 * the body is read from the socket without a web stream.
 */
export class IncomingRequest extends Request {
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  #headers: Headers | null = null;
  #signal: AbortSignal | null = null;
  #body: ReadableStream<Uint8Array<ArrayBuffer>> | null = null;
  #isRead = false;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    super(`${origin}${incoming.url}`, { method: incoming.method });
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  override get headers(): Headers {
    this.#headers ??= new IncomingHeaders(this.#incoming.headers);
    return this.#headers;
  }

  /** Aborts when the client leaves before the response is complete. */
  override get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#outgoing);
    return this.#signal;
  }

  override get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (!carriesBody(this.#incoming)) return null;
    this.#body ??= bodyOf(this.#incoming);
    return this.#body;
  }

  override get bodyUsed(): boolean {
    return this.#isRead;
  }

  /** @throws Error when the client leaves before the body is complete */
  override async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#isRead || this.#body?.locked) throw new TypeError("Body is unusable");
    this.#isRead = true;
    return this.#body ? new Response(this.#body).bytes() : readWhole(this.#incoming);
  }
  override async arrayBuffer(): Promise<ArrayBuffer> {
    // A copy: Node may keep several bodies in one buffer.
    return new Uint8Array(await this.bytes()).buffer;
  }
  override async blob(): Promise<Blob> {
    return new Blob([await this.bytes()], { type: this.headers.get("content-type") ?? "" });
  }
  override async formData(): Promise<FormData> {
    return new Response(await this.bytes(), { headers: { "content-type": this.headers.get("content-type") ?? "" } }).formData();
  }
  override async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }
  override async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
  override clone(): Request {
    return new Request(this.url, { method: this.method, headers: this.headers, signal: this.signal, ...this.#teed() });
  }

  #teed(): RequestInit {
    if (!this.body) return {};
    const [kept, given] = this.body.tee();
    this.#body = kept;
    // `fetch` requires `duplex: "half"` for a streamed body; the DOM's types lack the field.
    return Object.assign({ body: given }, { duplex: "half" });
  }
}

function signalOf(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const leave = () => {
    if (!outgoing.writableFinished) controller.abort();
  };
  if (outgoing.destroyed) leave();
  else outgoing.once("close", leave);
  return controller.signal;
}

function carriesBody({ headers, method }: IncomingMessage): boolean {
  if (method === "GET" || method === "HEAD") return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function readWhole(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer<ArrayBuffer>[] = [];
    incoming.on("data", (chunk: Buffer<ArrayBuffer>) => chunks.push(chunk));
    incoming.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    incoming.on("error", reject);
    // An aborted request may emit only "close".
    incoming.on("close", () => {
      if (!incoming.readableEnded) reject(new Error("The client left"));
    });
    if (incoming.destroyed) reject(new Error("The client left"));
  });
}

function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = incoming.iterator({ destroyOnReturn: false });
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    // Does not destroy the request, as Node's own conversion does: that would close the connection before the refusal.
    cancel: async () => void (await chunks.return?.()),
  });
}
