import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PbfReader, PbfWriter } from "pbf";
import { onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import type { JsonObject } from "@/contracts/common";

type Headers = Record<string, string>;
type Acknowledged = { logId: string; headers: Headers; payload: string };

/** An id above the whole numbers of JavaScript, as the platform's are: 2^63 + 5. */
const largeId = Buffer.from([0x85, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]);

/** The end of Lark's long connection: events go out in frames, a long one in parts, and what comes back is kept. */
export async function startLarkSocket() {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http });
  const acknowledged: Acknowledged[] = [];
  let pings = 0;
  sockets.on("connection", (socket) => {
    socket.on("message", (data: Buffer) => {
      const frame = read(data);
      if (frame.headers.type === "ping") pings += 1;
      else acknowledged.push({ logId: frame.logId, headers: frame.headers, payload: Buffer.from(frame.payload).toString() });
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    http.close();
  });
  const push = (messageId: string, event: JsonObject, { parts = 1 } = {}) => {
    const bytes = Buffer.from(JSON.stringify(event));
    const size = Math.ceil(bytes.byteLength / parts);
    for (let seq = 0; seq < parts; seq++) {
      const headers = { type: "event", message_id: messageId, sum: String(parts), seq: String(seq), trace_id: "t" };
      const frame = write(headers, bytes.subarray(seq * size, (seq + 1) * size));
      for (const socket of sockets.clients) socket.send(frame);
    }
  };
  const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/ws?device_id=1&service_id=7`;
  return { url, push, acknowledged, pings: () => pings };
}

function write(headers: Headers, payload: Uint8Array): Buffer {
  const writer = new PbfWriter();
  writer.writeVarintField(3, 7);
  writer.writeVarintField(4, 1);
  for (const [key, value] of Object.entries(headers)) {
    writer.writeMessage(
      5,
      (_, inner) => {
        inner.writeStringField(1, key);
        inner.writeStringField(2, value);
      },
      null,
    );
  }
  writer.writeBytesField(8, payload);
  const logIdTag = 0x10;
  return Buffer.concat([Buffer.from([logIdTag]), largeId, writer.finish()]);
}

function read(bytes: Uint8Array) {
  const frame: { logId: string; headers: Headers; payload: Uint8Array } = { logId: "", headers: {}, payload: new Uint8Array() };
  return new PbfReader(bytes).readFields((tag, into, reader) => {
    if (tag === 2) {
      const from = reader.pos;
      reader.skip(0);
      into.logId = Buffer.from(bytes.subarray(from, reader.pos)).toString("hex");
    } else if (tag === 5) {
      const header = reader.readMessage(
        (part, one, inner) => {
          if (part === 1) one.key = inner.readString();
          if (part === 2) one.value = inner.readString();
        },
        { key: "", value: "" },
      );
      into.headers[header.key] = header.value;
    } else if (tag === 8) into.payload = reader.readBytes();
  }, frame);
}

export const largeIdText = largeId.toString("hex");
