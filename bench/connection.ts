import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export type Answer = { status: number; headers: string; body: Buffer };
type Waiting = { resolve: (answer: Answer) => void; reject: (error: Error) => void };

const headEnd = Buffer.from("\r\n\r\n");
const nothing = Buffer.alloc(0);

/** The bytes of a request, made once and sent often. */
export function requestBytes(
  port: number,
  { method = "GET", path, headers = {}, body }: { method?: string; path: string; headers?: Record<string, string>; body?: unknown },
): Buffer {
  const content = body === undefined ? "" : JSON.stringify(body);
  const lines = [`${method} ${path} HTTP/1.1`, `host: 127.0.0.1:${port}`];
  if (body !== undefined) lines.push("content-type: application/json", `content-length: ${Buffer.byteLength(content)}`);
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${content}`);
}

/**
 * One keep-alive HTTP/1.1 connection with one request under way at a time. It knows Content-Length and chunked bodies
 * and nothing else: fetch would cost more than some of what is measured with it.
 */
export class Connection {
  readonly #socket: Socket;
  #waiting: Waiting | null = null;
  #received: Buffer = nothing;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#fail(new Error("the connection was closed before the answer was complete")));
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new Connection(socket);
  }

  /** The same with a server that has said that it starts and may not listen yet. */
  static async openSoon(port: number, withinMs = 30_000): Promise<Connection> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      try {
        return await Connection.open(port);
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await pause(20);
      }
    }
  }

  send(request: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const answer = parseAnswer(this.#received);
    if (!answer) return;
    this.#received = nothing;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.resolve(answer);
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = null;
  }
}

/** The answer in these bytes, or null while it is incomplete. */
function parseAnswer(bytes: Buffer): Answer | null {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return null;
  const headers = bytes.toString("latin1", 0, end);
  const status = Number(headers.slice(9, 12));
  const rest = bytes.subarray(end + headEnd.length);
  const length = /\r\ncontent-length: *(\d+)/i.exec(headers)?.[1];
  if (length !== undefined) return rest.length < Number(length) ? null : { status, headers, body: rest };
  if (!/\r\ntransfer-encoding: *chunked/i.test(headers)) return { status, headers, body: nothing };
  const body = dechunk(rest);
  return body && { status, headers, body };
}

function dechunk(bytes: Buffer): Buffer | null {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (next > bytes.length) return null;
    if (size === 0) return Buffer.concat(parts);
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}
