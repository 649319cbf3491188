const boundary = /\r\n\r\n|\n\n|\r\r/g;
const edgeCharacters = 3;

/** Cuts an event stream into complete events, each with its final empty line. */
export class EventBlocks {
  private parts: Uint8Array[] = [];
  private edge = "";
  /** Bytes of the incomplete event. */
  pending = 0;

  *read(chunk: Uint8Array): Generator<Buffer> {
    const offset = this.edge.length;
    const text = this.edge + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1");
    let start = 0;
    for (const { index, 0: found } of text.matchAll(boundary)) {
      const end = index + found.length - offset;
      // This boundary lies inside the edge, so an earlier chunk already ended the event.
      if (end <= start) continue;
      const block = Buffer.concat([...this.parts, chunk.subarray(start, end)]);
      this.parts = [];
      this.pending = 0;
      start = end;
      yield block;
    }
    const rest = chunk.subarray(start);
    if (rest.byteLength > 0) this.parts.push(rest);
    this.pending += rest.byteLength;
    this.edge = start > 0 ? text.slice(start + offset).slice(-edgeCharacters) : text.slice(-edgeCharacters);
  }

  /** Returns the incomplete event at the end of the stream. */
  rest(): Buffer {
    return Buffer.concat(this.parts);
  }
}

/** Parses the data of one event as JSON; undefined for other data. */
export function parseEventData(block: Buffer): unknown {
  const lines = block.toString("utf8").split(/\r\n|\n|\r/);
  const data = lines.flatMap((line) => (line.startsWith("data:") ? [line.slice(line[5] === " " ? 6 : 5)] : [])).join("\n");
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

/** Returns an event as events of the given messages, with its other lines, such as its id. */
export function withEventData(block: Buffer, messages: readonly unknown[]): string {
  const others = block
    .toString("utf8")
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== "" && !line.startsWith("data"));
  return messages.map((message) => `${[...others, `data: ${JSON.stringify(message)}`].join("\n")}\n\n`).join("");
}
