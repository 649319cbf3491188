import { PbfReader, PbfWriter } from "pbf";

/**
 * A message of Lark's long connection. Fields by number: 1 and 2 the platform's ids, 3 service, 4 method (0 control, 1 data), 5 headers
 * (key, value), 8 payload. Source: `ws-client` of the platform's Node SDK 1.74.
 */
export type LarkFrame = { method: number; headers: Record<string, string>; payload: Uint8Array };

const tags = { seqId: 1, logId: 2, service: 3, method: 4, headers: 5, payload: 8 } as const;
const control = 0;

/** @returns null for bytes that are no frame */
export function readLarkFrame(bytes: Uint8Array): LarkFrame | null {
  const frame: LarkFrame = { method: control, headers: {}, payload: new Uint8Array() };
  try {
    return new PbfReader(bytes).readFields((tag, into, reader) => {
      if (tag === tags.method) into.method = reader.readVarint();
      else if (tag === tags.payload) into.payload = reader.readBytes();
      else if (tag === tags.headers) {
        const { key, value } = reader.readMessage(
          (part, header, inner) => {
            if (part === 1) header.key = inner.readString();
            else if (part === 2) header.value = inner.readString();
          },
          { key: "", value: "" },
        );
        into.headers[key] = value;
      }
    }, frame);
  } catch {
    return null;
  }
}

/** Asks the platform whether it is there. */
export function larkPing(service: number): Uint8Array {
  const writer = new PbfWriter();
  writer.writeVarintField(tags.seqId, 0);
  writer.writeVarintField(tags.logId, 0);
  writer.writeVarintField(tags.service, service);
  writer.writeVarintField(tags.method, control);
  writeHeader(writer, "type", "ping");
  return writer.finish();
}

/**
 * Acknowledges a frame: the frame again, with the time that it took and another payload. Fields behind others replace them, so the ids,
 * which are larger than numbers of JavaScript, stay as they came.
 */
export function larkReply(received: Uint8Array, payload: string, tookMs: number): Uint8Array {
  const writer = new PbfWriter();
  writeHeader(writer, "biz_rt", String(tookMs));
  writer.writeBytesField(tags.payload, Buffer.from(payload));
  return Buffer.concat([received, writer.finish()]);
}

function writeHeader(writer: PbfWriter, key: string, value: string): void {
  writer.writeMessage(
    tags.headers,
    (header, inner) => {
      inner.writeStringField(1, header.key);
      inner.writeStringField(2, header.value);
    },
    { key, value },
  );
}
