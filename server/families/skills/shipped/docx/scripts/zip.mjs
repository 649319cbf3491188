import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";

const endSignature = 0x06054b50;
const centralSignature = 0x02014b50;
const localSignature = 0x04034b50;
const utf8Flag = 0x800;
const maxTotalBytes = 512 * 1_048_576;

/** Reads the parts of a zip in their order. */
export function readZip(bytes) {
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  let total = 0;
  const parts = [];
  for (let index = 0; index < count; index += 1) {
    if (bytes.readUInt32LE(at) !== centralSignature) throw new Error("The file is damaged: its list of parts cannot be read.");
    const flags = bytes.readUInt16LE(at + 8);
    if (flags & 1) throw new Error("The document is encrypted. Save it without a password first.");
    const method = bytes.readUInt16LE(at + 10);
    const packed = bytes.readUInt32LE(at + 20);
    const size = bytes.readUInt32LE(at + 24);
    const nameLength = bytes.readUInt16LE(at + 28);
    const skipped = bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    const local = bytes.readUInt32LE(at + 42);
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    total += size;
    if (total > maxTotalBytes) throw new Error("The document holds more than 512 MiB.");
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const data = bytes.subarray(start, start + packed);
    const content = method === 0 ? Buffer.from(data) : inflateRawSync(data, { maxOutputLength: Math.max(size, 1) });
    if (content.length !== size || crc32(content) !== bytes.readUInt32LE(at + 16)) throw new Error(`The part ${name} is damaged.`);
    parts.push({ name, content, method });
    at += 46 + nameLength + skipped;
  }
  return parts;
}

function findEnd(bytes) {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 65_557); at -= 1) {
    if (bytes.readUInt32LE(at) === endSignature) return at;
  }
  throw new Error("The file is no .docx: it is no zip archive.");
}

/** Writes parts as a zip, each stored as it was. */
export function writeZip(parts) {
  const files = [];
  const list = [];
  let offset = 0;
  for (const { name, content, method } of parts) {
    const data = method === 0 ? content : deflateRawSync(content, { level: 6 });
    const title = Buffer.from(name, "utf8");
    const head = Buffer.alloc(30);
    head.writeUInt32LE(localSignature, 0);
    head.writeUInt16LE(20, 4);
    writeFacts(head, 6, { method, content, data });
    head.writeUInt16LE(title.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(centralSignature, 0);
    entry.writeUInt16LE(20, 4);
    entry.writeUInt16LE(20, 6);
    writeFacts(entry, 8, { method, content, data });
    entry.writeUInt16LE(title.length, 28);
    entry.writeUInt32LE(offset, 42);
    files.push(head, title, data);
    list.push(entry, title);
    offset += head.length + title.length + data.length;
  }
  const size = list.reduce((sum, piece) => sum + piece.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(endSignature, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, ...list, end]);
}

/** Flags, method, a fixed time (1 January 1980), checksum and sizes. */
function writeFacts(buffer, at, { method, content, data }) {
  buffer.writeUInt16LE(utf8Flag, at);
  buffer.writeUInt16LE(method, at + 2);
  buffer.writeUInt16LE(0, at + 4);
  buffer.writeUInt16LE(0x21, at + 6);
  buffer.writeUInt32LE(crc32(content), at + 8);
  buffer.writeUInt32LE(data.length, at + 12);
  buffer.writeUInt32LE(content.length, at + 16);
}
