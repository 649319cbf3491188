import { isDeepStrictEqual } from "node:util";
import { LineCounter, parseDocument, stringify } from "yaml";
import { z } from "zod";
import { type Contact, ContactDraft, type ContactStatus, contactStatuses, ReferenceId } from "@/contracts/messengers/contacts";
import { storableText } from "@/server/platform/database/storable";
import { AppError } from "@/server/platform/errors";

/** Contacts of one state, as a text that agents read and write: YAML in Markdown. Source: behaviour.md 11, S4. */
export type ListedContacts = { status: ContactStatus; contacts: readonly Contact[]; omitted: number };

/** An entry of a written text; members that the text leaves out are undefined. */
export type WrittenContact = z.infer<typeof Entry>;

const isKept = (text: string): boolean => storableText(text) === text;
const unkept = "holds characters that cannot be kept, such as NUL";

const Entry = z.strictObject({
  contact_id: z.uuid("is no id of a contact; leave it out for a new person").nullish(),
  name: ContactDraft.shape.name.refine(isKept, unkept),
  reachable_ids: z.array(ReferenceId).max(10, "at most 10 addresses").nullish(),
  notes: z.string().max(10_000, "at most 10,000 characters").refine(isKept, unkept).nullish(),
  status: z.enum(contactStatuses, "must be active or inactive").optional(),
  version: z.number().int().optional(),
  member: z.unknown().optional(),
  addresses: z.unknown().optional(),
  last_used_at: z.unknown().optional(),
});

const heads: Record<ContactStatus, string> = {
  active: "# Active contacts\n\nAgents may write to these people.",
  inactive: "# Inactive contacts\n\nMessages of these people are refused.",
};
const rules = [
  "Change name, reachable_ids, notes or status (active to inactive) of an entry; an entry without contact_id adds a person.",
  "Leave every other entry as it is: nobody is removed or admitted here. member, addresses, last_used_at and version cannot be changed here.",
].join("\n");
const maxBytes = 1_048_576;

/** Writes contacts as a text. */
export function contactsAsText({ status, contacts, omitted }: ListedContacts): string {
  const more = omitted === 0 ? "" : `\n\n${omitted.toLocaleString("en")} more are not in this file, the ones used longest ago.`;
  const list = contacts.map((contact) => ({
    contact_id: contact.id,
    name: contact.name,
    status: contact.status,
    reachable_ids: contact.reachableIds,
    notes: contact.notes,
    member: memberOf(contact),
    addresses: addressesOf(contact),
    last_used_at: contact.lastUsedAt,
    version: contact.version,
  }));
  return `${heads[status]}\n\n${rules}${more}\n\n\`\`\`yaml\n${stringify(list, { lineWidth: 0 })}\`\`\`\n`;
}

/**
 * Reads the entries of a text.
 * @throws AppError `invalid` with the line of a mistake
 */
export function contactsFromText(path: string, text: string, listed: ListedContacts): WrittenContact[] {
  if (Buffer.byteLength(text) > maxBytes) throw new AppError("too_large", `${path} would have more than 1 MiB. Shorten the notes.`);
  const { yaml, firstLine } = listOf(path, text, listed);
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, schema: "core", uniqueKeys: true });
  const [mistake] = document.errors;
  if (mistake)
    throw wrong(
      path,
      firstLine + (mistake.linePos?.[0].line ?? 1),
      `the list is no YAML: ${mistake.message.replace(/ at line[\s\S]*/, "")}`,
    );
  // Aliases may refer to each other without end.
  const list: unknown = document.toJS({ maxAliasCount: 20 });
  if (!Array.isArray(list)) throw wrong(path, firstLine + 1, "the block needs a list, one entry a person; an empty list is []");
  return list.map((item: unknown, index) => {
    const place = document.getIn([index], true);
    const line = firstLine + (hasRange(place) ? lines.linePos(place.range[0]).line : 1);
    const entry = Entry.safeParse(item);
    if (entry.success) return entry.data;
    const [issue] = entry.error.issues;
    throw wrong(path, line, `${issue?.path.join(".") || "the entry"}: ${issue?.message ?? "is not valid"}`);
  });
}

/** Names the first member that a text changes and that cannot be changed there; null for none. */
export function fixedMemberChanged(entry: WrittenContact, contact: Contact): "member" | "addresses" | null {
  if (entry.member !== undefined && entry.member !== memberOf(contact)) return "member";
  if (entry.addresses !== undefined && !isDeepStrictEqual(entry.addresses, addressesOf(contact))) return "addresses";
  return null;
}

/** Names the first member of an entry that only Handrail fills; null for none. */
export const memberOfOurs = (entry: WrittenContact) =>
  (["member", "addresses", "last_used_at", "version"] as const).find((name) => (entry[name] ?? null) !== null) ?? null;

const memberOf = ({ member }: Contact): string | null => member?.name ?? null;
const addressesOf = ({ addresses }: Contact): string[] =>
  addresses.map(
    ({ platform, address, messenger, isReachable }) => `${platform} ${address} on ${messenger}${isReachable ? "" : ", not reachable"}`,
  );

/** Finds the list between its fences. Another text around it would be lost, so it is refused. */
function listOf(path: string, text: string, { status }: ListedContacts): { yaml: string; firstLine: number } {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const from = lines.findIndex((line) => /^```ya?ml\s*$/.test(line));
  const length = from < 0 ? -1 : lines.slice(from + 1).findIndex((line) => /^```\s*$/.test(line));
  if (length < 0) throw new AppError("invalid", `${path} needs its list between a line \`\`\`yaml and a line \`\`\`. Nothing was changed.`);
  const known = new Set([...heads[status].split("\n"), ...rules.split("\n")]);
  const end = from + 1 + length;
  const stray = lines.findIndex((line, index) => {
    if (index >= from && index <= end) return false;
    return line.trim() !== "" && !known.has(line) && !/^[\d,]+ more are not in this file/.test(line);
  });
  if (stray >= 0)
    throw wrong(path, stray + 1, "only the list is kept. Write entries into it, and what is to be known of a person into notes");
  return { yaml: lines.slice(from + 1, end).join("\n"), firstLine: from + 1 };
}

function wrong(path: string, line: number, message: string): AppError {
  return new AppError("invalid", `${path}, line ${line}: ${message}. Nothing was changed.`);
}

function hasRange(node: unknown): node is { range: [number, number, number] } {
  return typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range);
}
