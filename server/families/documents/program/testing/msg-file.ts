import { burn } from "@kenjiuno/msgreader/lib/Burner.js";

type Entry = { name: string; type: number; length: number; children?: number[]; binaryProvider?: () => ArrayLike<number> };
type Named = { name: string; content: string };

const root = 5;
const storage = 1;
const stream = 2;

/** A mail of Outlook with one recipient, and an attachment when one is given. */
export function msgFile(mail: {
  subject: string;
  from: string;
  fromAddress: string;
  to: string;
  toAddress: string;
  text: string;
  attachment?: Named;
}) {
  const entries: Entry[] = [];
  const add = (name: string, content: Buffer) => {
    entries.push({ name, type: stream, length: content.byteLength, binaryProvider: () => new Uint8Array(content) });
    return entries.length - 1;
  };
  const text = (tag: string, value: string) => add(`__substg1.0_${tag}001F`, Buffer.from(value, "utf16le"));
  const folder = (name: string, children: number[]) => {
    entries.push({ name, type: storage, length: 0, children });
    return entries.length - 1;
  };
  const number = (tag: number, value: number) => {
    const entry = Buffer.alloc(16);
    entry.writeUInt32LE(tag, 0);
    entry.writeUInt32LE(6, 4);
    entry.writeUInt32LE(value, 8);
    return add("__properties_version1.0", Buffer.concat([Buffer.alloc(8), entry]));
  };
  entries.push({ name: "Root Entry", type: root, length: 0, children: [] });
  const children = [
    folder("__recip_version1.0_#00000000", [text("3001", mail.to), text("39FE", mail.toAddress), number(0x0c150003, 1)]),
    ...(mail.attachment
      ? [
          folder("__attach_version1.0_#00000000", [
            text("3707", mail.attachment.name),
            add("__substg1.0_37010102", Buffer.from(mail.attachment.content)),
            number(0x37050003, 1),
          ]),
        ]
      : []),
    text("0037", mail.subject),
    text("0C1A", mail.from),
    text("5D01", mail.fromAddress),
    text("1000", mail.text),
    add("__properties_version1.0", Buffer.alloc(32)),
  ];
  Object.assign(entries[0] ?? {}, { children });
  return Uint8Array.from(burn(entries as Parameters<typeof burn>[0]));
}
