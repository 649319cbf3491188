import { bigint, boolean, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, id, moment } from "../../columns";
import { declareText } from "../../personal-text";

/**
 * Seals over ranges of a workspace's audit rows, in the order of `(xid, id)`; docs/audit.md describes the format. No foreign
 * keys, because the proof outlives its subject.
 */
export const auditSeals = pgTable(
  "audit_seals",
  {
    workspaceId: uuid().notNull(),
    number: integer().notNull(),
    firstPlace: bigint({ mode: "number" }).notNull(),
    rows: integer().notNull(),
    root: text().notNull(),
    through: moment().notNull(),
    sealedAt: moment().notNull(),
    previous: text().notNull(),
    hash: text().notNull(),
    signature: text().notNull(),
    publicKey: text().notNull(),
    /** Packed leaves, 65 bytes each: state, id, salt and digest of each row. */
    leaves: bytes().notNull(),
    /** The last row of the range. */
    lastXid: bigint({ mode: "bigint" }).notNull(),
    lastId: uuid().notNull(),
    /** Earliest and latest time of the rows. */
    minAt: moment().notNull(),
    maxAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.number] }),
    index("audit_seals_by_last").on(table.workspaceId, table.lastXid, table.lastId),
  ],
);

/** The seal at which each day ended, as it was sent to webhooks and written to the file of checkpoints. */
export const auditCheckpoints = pgTable(
  "audit_checkpoints",
  {
    id: id(),
    workspaceId: uuid().notNull(),
    number: integer().notNull(),
    /** Rows of the workspace up to and with this seal. */
    total: bigint({ mode: "number" }).notNull(),
    hash: text().notNull(),
    /** The text that the hash covers. */
    seal: text().notNull(),
    signature: text().notNull(),
    publicKey: text().notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [index("audit_checkpoints_by_number").on(table.workspaceId, table.number)],
);

/** The outcome of the last verification of a workspace's whole audit. */
export const auditVerifications = pgTable("audit_verifications", {
  workspaceId: uuid().primaryKey(),
  verifiedAt: moment().notNull(),
  ok: boolean().notNull(),
  rows: bigint({ mode: "number" }).notNull(),
  /** The fault; null when there is none. */
  sentence: text(),
});

export const auditSealsText = declareText({
  stays: [auditSeals, auditCheckpoints, auditVerifications],
});
