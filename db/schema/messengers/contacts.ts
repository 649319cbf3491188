import { index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { contactStatuses } from "../../../contracts/messengers/contacts";
import { createdAt, id, moment, times } from "../../columns";
import { declareText } from "../../personal-text";
import { users } from "../users";
import { workspaces } from "../workspaces";

const ofWorkspace = () =>
  uuid()
    .notNull()
    .references(() => workspaces.id, { onDelete: "cascade" });

/** People whom agents reach and to-dos mention. */
export const contacts = pgTable(
  "contacts",
  {
    id: id(),
    workspaceId: ofWorkspace(),
    name: text().notNull(),
    /** Addresses that people wrote by hand. */
    reachableIds: jsonb().$type<string[]>().notNull(),
    status: text({ enum: contactStatuses }).notNull().default("active"),
    notes: text().notNull().default(""),
    /** The member who proved by a code to be this person. */
    userId: uuid().references(() => users.id, { onDelete: "set null" }),
    lastUsedAt: moment(),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [unique().on(table.workspaceId, table.name), index().on(table.userId)],
);

/** Codes by which members prove to be a contact; each works once. */
export const contactLinkCodes = pgTable(
  "contact_link_codes",
  {
    id: id(),
    workspaceId: ofWorkspace(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256 of the code. */
    hash: text().notNull(),
    expiresAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (table) => [unique().on(table.workspaceId, table.hash)],
);

export const contactsText = declareText({ family: [contacts], stays: [contactLinkCodes] });
