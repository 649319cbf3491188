export type OldOfficeKind = "doc" | "xls" | "ppt";

/** Names of streams that only one kind of content has. */
const streams: readonly (readonly [name: string, content: OldOfficeKind | "msg" | "encrypted"])[] = [
  ["EncryptedPackage", "encrypted"],
  ["__properties_version1.0", "msg"],
  ["WordDocument", "doc"],
  ["PowerPoint Document", "ppt"],
  ["Workbook", "xls"],
  ["Book", "xls"],
];
const entryBytes = 128;
const nameBytes = 64;

/**
 * Tells what a compound file holds, the container of Office 97 to 2003, of Outlook's mails, and of Office documents with a
 * password. Null for anything else, such as an installer.
 */
export function compoundContent(bytes: Uint8Array): OldOfficeKind | "msg" | "encrypted" | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return streams.find(([name]) => hasStream(file, name))?.[1] ?? null;
}

/** Looks for the entry of a stream: its name in UTF-16, padded with zeros, at a multiple of an entry's length. */
function hasStream(file: Buffer, name: string): boolean {
  const entry = Buffer.alloc(nameBytes);
  entry.write(name, "utf16le");
  for (let at = file.indexOf(entry); at !== -1; at = file.indexOf(entry, at + 1)) if (at % entryBytes === 0) return true;
  return false;
}
