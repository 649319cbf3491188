import { z } from "zod";
import { Empty, Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { messengerPlatforms } from "./messenger-platforms";

/** `inactive`: known, and may not write to an agent. */
export const contactStatuses = ["active", "inactive"] as const;
export type ContactStatus = (typeof contactStatuses)[number];

/** Files of each conversation whose text is the list of contacts. */
export const contactFiles: Record<ContactStatus, string> = { active: "contacts/ACTIVE.md", inactive: "contacts/INACTIVE.md" };
/** Another system's name of the folder in which its contacts lie. */
const stateFolder = /^file_state_dir\/+/;

/** Returns whose list a normal path inside a conversation's folder names; undefined for every other file. */
export const contactsAtPath = (path: string): ContactStatus | undefined =>
  contactStatuses.find((status) => contactFiles[status] === path.replace(stateFolder, ""));

export const ContactAddress = z
  .object({
    id: Id,
    messengerId: Id,
    messenger: z.string(),
    platform: z.enum(messengerPlatforms),
    address: z.string().describe("The platform's id of the person."),
    name: z.string().describe("The name that the person has there."),
    isReachable: z.boolean().describe("The person has written privately, so agents may write there."),
    lastUsedAt: Timestamp.nullable(),
  })
  .meta({ id: "ContactAddress" });
export type ContactAddress = z.infer<typeof ContactAddress>;

/** Addresses that people write by hand: a Telegram chat or user, a Slack or Discord channel. */
export const referencePattern = /^(tg:-?[1-9]\d{0,18}|tg:@[A-Za-z0-9_]{3,64}|slack:[A-Za-z0-9_:-]{1,100}|discord:\d{1,20})$/;

export const ReferenceId = z
  .string()
  .trim()
  .regex(referencePattern, "must be tg:<number>, tg:@<username>, slack:<channel> or discord:<channel number>");

const name = z.string().trim().min(1, "needs a name").max(100, "at most 100 characters");

export const ContactDraft = z
  .strictObject({
    name,
    reachableIds: z.array(ReferenceId).max(10, "at most 10 addresses").default([]),
    status: z.enum(contactStatuses).default("active").describe("`inactive`: messages of this person are refused."),
    notes: z.string().max(10_000).default("").describe("What agents should know of the person."),
  })
  .meta({ examples: [{ name: "Mei", reachableIds: ["tg:@mei_lin"], notes: "Prefers short answers." }] });
export type ContactDraft = z.infer<typeof ContactDraft>;

export const AddressDraft = z
  .strictObject({
    messengerId: Id,
    address: z.string().trim().min(1, "needs an address").max(200).describe("The platform's id of the person; for e-mail, the address."),
  })
  .meta({ examples: [{ messengerId: "00000000-0000-7000-8000-000000000000", address: "4711" }] });
export type AddressDraft = z.infer<typeof AddressDraft>;

export const Contact = z
  .object({
    id: Id,
    name,
    reachableIds: z.array(z.string()).describe("Addresses that agents and to-dos may name."),
    status: z.enum(contactStatuses),
    notes: z.string(),
    member: z
      .object({ id: Id, name: z.string() })
      .nullable()
      .describe("The member of the workspace who proved by a code to be this person; `null`: nobody."),
    addresses: z.array(ContactAddress),
    lastUsedAt: Timestamp.nullable(),
    version: z.number().int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Contact" });
export type Contact = z.infer<typeof Contact>;

export const LinkCode = z
  .object({
    code: z.string().describe("To be sent to the agent in a private chat: `/link <code>`. It is shown once."),
    expiresAt: Timestamp,
  })
  .meta({ id: "LinkCode" });
export type LinkCode = z.infer<typeof LinkCode>;

export const ContactFilter = z.object({
  query: z.string().trim().max(200).optional().describe("Part of the name, the notes or an address."),
  status: z.enum(contactStatuses).optional(),
});
export type ContactFilter = z.infer<typeof ContactFilter>;

const params = z.object({ id: Id });

export const contactEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/contacts",
    summary: "People whom agents reach and to-dos mention, in the order of their creation",
    permission: "turns:read",
    query: ContactFilter.extend(pageQuery),
    response: listOf(Contact),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/contacts",
    summary: "Add a person",
    permission: "contacts:write",
    body: ContactDraft,
    response: Contact,
    status: 201,
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/contacts/{id}",
    summary: "One person",
    permission: "turns:read",
    params,
    response: Contact,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/v1/contacts/{id}",
    summary: "Replace a person's name, state and notes; addresses stay",
    headers: ["If-Match"],
    permission: "contacts:write",
    params,
    body: ContactDraft,
    response: Contact,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/v1/contacts/{id}",
    summary: "Remove a person with the addresses; conversations stay",
    headers: ["If-Match"],
    permission: "contacts:write",
    params,
    response: Empty,
  }),
  addAddress: endpoint({
    method: "POST",
    path: "/api/v1/contacts/{id}/addresses",
    summary: "Add an address of a person on a messenger",
    permission: "contacts:write",
    params,
    body: AddressDraft,
    response: Contact,
  }),
  removeAddress: endpoint({
    method: "DELETE",
    path: "/api/v1/contacts/{id}/addresses/{addressId}",
    summary: "Remove an address of a person",
    permission: "contacts:write",
    params: z.object({ id: Id, addressId: Id }),
    response: Contact,
  }),
  makeLinkCode: endpoint({
    method: "POST",
    path: "/api/v1/contacts/link-code",
    summary: "A code that links your account with the chat from which you send it, within 15 minutes",
    permission: "turns:read",
    response: LinkCode,
  }),
  unlink: endpoint({
    method: "POST",
    path: "/api/v1/contacts/{id}/unlink",
    summary: "End the link between a person and a member",
    permission: "contacts:write",
    params,
    response: Contact,
  }),
};

export const contactContract = defineContract({
  reference: { name: "Contacts", description: "People who write to agents, with their addresses on messengers." },
  glossary: {
    contact: "A person with addresses on messengers; may be linked to a member of the workspace.",
    "linked member": "A member who proved by a code to be a contact, and so may decide in the chat what a member of that role may decide.",
  },
  endpoints: contactEndpoints,
  permissions: { "contacts:write": "Add, change and remove contacts" },
  roles: { approver: ["contacts:write"] },
  implies: { "contacts:write": ["turns:read"] },
  audit: {
    "contact.added": "Contact added",
    "contact.created": "Contact created",
    "contact.updated": "Contact updated",
    "contact.removed": "Contact removed",
    "contact.linked": "Contact linked to a member",
    "contact.unlinked": "Link of a contact ended",
  },
  navigation: { label: "Contacts", path: "/contacts", icon: "IconAddressBook", key: "u", group: "connections", after: "/messengers" },
  actors: ["contact"],
});
