import { integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { auditHoldKinds } from "../../../contracts/audit/audit-retention";
import { id, moment, times } from "../../columns";
import { declareText } from "../../personal-text";
import { workspaces } from "../workspaces";

/** Days for which a workspace keeps its audit rows, by kind; 0 keeps them. */
export const auditSettings = pgTable("audit_settings", {
  workspaceId: uuid()
    .primaryKey()
    .references(() => workspaces.id, { onDelete: "cascade" }),
  callDays: integer().notNull().default(0),
  configurationDays: integer().notNull().default(0),
  signInDays: integer().notNull().default(0),
  /** Closed months that stay in the database; older ones are archived. 0 archives none. */
  archiveMonths: integer().notNull().default(0),
  version: integer().notNull().default(0),
  ...times,
});

/** Audit rows that the retention keeps: of a person, of an agent, or of a period. */
export const auditHolds = pgTable(
  "audit_holds",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    name: text().notNull(),
    kind: text({ enum: auditHoldKinds }).notNull(),
    /** Id of the person, or name of the agent; null for a period. */
    subject: text(),
    heldFrom: moment(),
    heldTo: moment(),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [unique().on(table.workspaceId, table.name)],
);

export const auditRetentionText = declareText({
  stays: [auditSettings, auditHolds],
});
