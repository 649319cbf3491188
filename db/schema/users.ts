import { index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { signInMethods } from "../../contracts/identity/identity";
import { roles } from "../../contracts/permissions";
import { createdAt, id, moment, times } from "../columns";
import { declareText } from "../personal-text";
import { workspaces } from "./workspaces";

export const users = pgTable("users", {
  id: id(),
  /** Lower case. */
  email: text().notNull().unique(),
  name: text().notNull(),
  /** Argon2id; absent for people who sign in only through the identity provider. */
  passwordHash: text(),
  lastSignInAt: moment(),
  ...times,
});

/** A valid sign-in: a browser session or a bearer token. Deleting the row ends the sign-in. */
export const sessions = pgTable(
  "sessions",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    method: text({ enum: signInMethods }).notNull(),
    createdAt: createdAt(),
    expiresAt: moment().notNull(),
  },
  (table) => [index().on(table.userId)],
);

export const memberships = pgTable(
  "memberships",
  {
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text({ enum: roles }).notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.userId] }), index().on(table.userId)],
);

export const usersText = declareText({
  family: [users, memberships, sessions],
});
