/** One line of a server's output. */
export type JsonLine =
  | { kind: "message"; value: unknown }
  /** A line that is not JSON, from a server that prints to its output by mistake. */
  | { kind: "garbage"; text: string }
  /** A discarded line over the limit, with the id of the answered request when the line's beginning or end shows the id. */
  | { kind: "oversized"; id: number | null };

const edgeCharacters = 256;
const newline = 0x0a;

/**
 * Cuts a byte stream into JSON lines in bounded memory: a line over `maxBytes` is skipped to its end, and only its
 * first and last characters are looked at.
 */
export class JsonLines {
  private parts: Buffer[] = [];
  private length = 0;
  private head = "";
  private tail = "";
  /** Bytes of the line that is being skipped; 0 when no line is skipped. */
  skipped = 0;
  /** Bytes of the last line that `read` yielded. */
  lastBytes = 0;

  constructor(private readonly maxBytes: number) {}

  *read(chunk: Buffer): Generator<JsonLine> {
    let rest = chunk;
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      this.add(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      const line = this.take();
      if (line) yield line;
    }
    this.add(rest);
  }

  private add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.skipped === 0 && this.length + bytes.length > this.maxBytes) {
      this.head = Buffer.concat([...this.parts, bytes]).toString("latin1", 0, edgeCharacters);
      this.skipped = this.length;
      this.parts = [];
    }
    if (this.skipped > 0) {
      this.skipped += bytes.length;
      this.tail = (this.tail + bytes.toString("latin1", Math.max(0, bytes.length - edgeCharacters))).slice(-edgeCharacters);
    } else {
      this.parts.push(bytes);
      this.length += bytes.length;
    }
  }

  private take(): JsonLine | null {
    const line: JsonLine | null =
      this.skipped > 0
        ? { kind: "oversized", id: idAtTheEdge(this.head, this.tail) }
        : parsed(Buffer.concat(this.parts).toString("utf8").trim());
    this.lastBytes = this.length;
    this.parts = [];
    this.length = 0;
    this.skipped = 0;
    this.head = "";
    this.tail = "";
    return line;
  }
}

function parsed(text: string): JsonLine | null {
  if (text === "") return null;
  try {
    return { kind: "message", value: JSON.parse(text) };
  } catch {
    return { kind: "garbage", text: text.slice(0, 1_000) };
  }
}

/**
 * Finds the id of an oversized answer, which servers write before or after the result. A server that forges the id only
 * confuses its own calls.
 */
function idAtTheEdge(head: string, tail: string): number | null {
  const found =
    /^\s*\{(?:"jsonrpc":"2\.0",)?"id":(\d{1,15})[,}]/.exec(head.replace(/\s+/g, "")) ??
    /[,}]"id":(\d{1,15})(?:,"jsonrpc":"2\.0")?\}$/.exec(tail.replace(/\s+/g, ""));
  return found ? Number(found[1]) : null;
}
