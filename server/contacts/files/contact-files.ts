import "server-only";
import path from "node:path";
import { asc, desc, eq, sql } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import { type Contact, type ContactDraft, type ContactStatus, contactFiles, contactsAtPath } from "@/contracts/messengers/contacts";
import type { Db } from "@/db/client";
import { contacts as contactTable } from "@/db/schema";
import { type Authorized, requirePermission } from "@/server/auth/actor";
import { actorFromRef } from "@/server/auth/actor-from-ref";
import type { FindRowFile } from "@/server/capabilities/files/row-files";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { contacts, presentContacts } from "../contacts";
import {
  contactsAsText,
  contactsFromText,
  fixedMemberChanged,
  type ListedContacts,
  memberOfOurs,
  type WrittenContact,
} from "./contact-text";

/** The conversation that reads and writes, and for whom. */
export type ContactReader = {
  workspaceId: string;
  /** Absolute folder of the conversation. */
  folder: string;
  isGroup: boolean;
  actor: ActorRef;
  requestId: string;
};

/** Longer lists are read by no model. */
const maxListed = 1_000;
/** Entries that one call changes. */
const maxChanges = 100;

/** Finds the files `contacts/ACTIVE.md` and `contacts/INACTIVE.md` of a conversation, whose text is the workspace's contacts. */
export function contactFileFinder(reader: ContactReader): FindRowFile {
  return (given) => {
    const inside = path.isAbsolute(given) ? path.relative(reader.folder, given) : given;
    const status = contactsAtPath(path.posix.normalize(inside));
    if (!status) return null;
    return {
      path: contactFiles[status],
      read: async () => {
        requirePermission(await actorOf(reader), "turns:read");
        const { listed, changedAt } = await load(db(), reader.workspaceId, status);
        return { text: contactsAsText(listed), changedAt };
      },
      write: async (text, basis) => write(requirePermission(await actorOf(reader), "contacts:write"), status, text, basis),
    };
  };
}

async function actorOf({ workspaceId, actor, requestId, isGroup }: ContactReader) {
  if (isGroup) throw new AppError("forbidden", "The list of contacts is for private conversations; in a group everybody would read it.");
  if (actor.type === "contact")
    throw new AppError(
      "forbidden",
      "The list of contacts is for members of the workspace. A member who links the chat to the account reads it here.",
    );
  return actorFromRef(actor, { workspaceId, requestId });
}

type Loaded = { listed: ListedContacts; changedAt: Date; others: readonly Contact[] };

/** @param tx locks the contacts when they are about to be changed */
async function load(tx: Db, workspaceId: string, status: ContactStatus, { lock = false } = {}): Promise<Loaded> {
  const ofWorkspace = tx
    .select()
    .from(contactTable)
    .where(eq(contactTable.workspaceId, workspaceId))
    .orderBy(desc(sql`coalesce(${contactTable.lastUsedAt}, ${contactTable.createdAt})`), asc(contactTable.id));
  const rows = await (lock ? ofWorkspace.for("update") : ofWorkspace);
  const latest = Math.max(0, ...rows.map(({ updatedAt }) => updatedAt.getTime()));
  const here = rows.filter((row) => row.status === status);
  const shown = await presentContacts(here.slice(0, maxListed), tx);
  const byName = shown.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const others = await presentContacts(lock ? [...here.slice(maxListed), ...rows.filter((row) => row.status !== status)] : [], tx);
  const listed = { status, contacts: byName, omitted: Math.max(0, here.length - maxListed) };
  return { listed, changedAt: new Date(latest), others };
}

type Change = { before: Contact | null; draft: ContactDraft };

function write(actor: Authorized<"contacts:write">, status: ContactStatus, text: string, basis: Date): Promise<string> {
  return db().transaction(async (tx) => {
    const { listed, changedAt, others } = await load(tx, actor.workspaceId, status, { lock: true });
    if (changedAt > basis) {
      throw new AppError(
        "conflict",
        `${contactFiles[status]} was changed by somebody else meanwhile. Read it again, then write what is still right.`,
      );
    }
    const entries = contactsFromText(contactFiles[status], text, listed);
    const changes = planChanges(entries, listed, others);
    const notes: string[] = [];
    for (const { before, draft } of changes) {
      if (before) {
        await contacts.update({ actor, params: { id: before.id }, body: draft, version: before.version }, tx);
        notes.push(noteOfChange(before, draft));
      } else {
        const { id, name } = await contacts.create({ actor, body: draft }, tx);
        notes.push(`${name} was added with contact_id ${id}.`);
      }
    }
    return notes.length === 0 ? "No contact was changed." : notes.join(" ");
  });
}

function planChanges(entries: readonly WrittenContact[], listed: ListedContacts, others: readonly Contact[]): Change[] {
  const path = contactFiles[listed.status];
  const known = new Map([...listed.contacts, ...others].map((contact) => [contact.id, contact]));
  const named = new Set<string>();
  const changes = entries.flatMap((entry): Change[] => {
    const { contact_id: id, name } = entry;
    const before = id ? known.get(id) : null;
    if (before === undefined)
      throw refused(path, `no contact has the contact_id ${id} of ${name}; somebody may have removed it. Leave the entry out`);
    if (id && named.has(id)) throw refused(path, `two entries have the contact_id ${id}. Leave one of them out`);
    if (id) named.add(id);
    if (before && before.status === "inactive" && (entry.status ?? listed.status) === "active")
      throw refused(path, `${before.name} is inactive, and only people admit people: on the page Contacts`);
    const own = before ? null : memberOfOurs(entry);
    if (own) throw refused(path, `${own} of ${name} is no member of a new person. Leave it out`);
    const fixed = before && fixedMemberChanged(entry, before);
    if (fixed) throw refused(path, `${fixed} of ${name} cannot be changed here. Write it as it was; people change it on the page Contacts`);
    const draft = {
      name,
      reachableIds: entry.reachable_ids === null ? [] : (entry.reachable_ids ?? before?.reachableIds ?? []),
      notes: entry.notes === null ? "" : (entry.notes?.trimEnd() ?? before?.notes ?? ""),
      status: entry.status ?? listed.status,
    };
    if (before && isSame(before, draft)) return [];
    if (before && entry.version !== undefined && entry.version !== before.version) {
      const sentence = `${before.name} was changed by somebody else meanwhile. Read it again, then write what is still right`;
      throw new AppError("conflict", `${path}: ${sentence}. Nothing was changed.`);
    }
    return [{ before, draft }];
  });
  if (changes.length > maxChanges) throw refused(path, `${changes.length} entries would change. Change at most ${maxChanges} at once`);
  const missing = listed.contacts.filter(({ id }) => !named.has(id)).map(({ name }) => name);
  if (missing.length > 0) {
    const names = missing.slice(0, 5).join(", ") + (missing.length > 5 ? ` and ${missing.length - 5} more` : "");
    throw refused(path, `the text leaves out ${names}, and nobody is removed in this way. Keep each entry, or set its status to inactive`);
  }
  return changes;
}

const isSame = (before: Contact, draft: ContactDraft): boolean =>
  before.name === draft.name &&
  before.status === draft.status &&
  before.notes.trimEnd() === draft.notes &&
  before.reachableIds.join("\n") === draft.reachableIds.join("\n");

function noteOfChange(before: Contact, { name, reachableIds, notes, status }: ContactDraft): string {
  const changed = [
    ...(name === before.name ? [] : [`name, before ${before.name}`]),
    ...(reachableIds.join("\n") === before.reachableIds.join("\n") ? [] : ["reachable_ids"]),
    ...(notes === before.notes.trimEnd() ? [] : ["notes"]),
  ];
  const moved = status === before.status ? "" : `${name} is ${status} now and stands in ${contactFiles[status]}.`;
  const told = changed.length === 0 ? "" : `${name} was changed (${changed.join("; ")}).`;
  return [told, moved].filter(Boolean).join(" ");
}

const refused = (path: string, sentence: string) => new AppError("invalid", `${path}: ${sentence}. Nothing was changed.`);
