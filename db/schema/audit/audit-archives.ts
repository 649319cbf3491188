import { index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, id, moment } from "../../columns";
import { declareText } from "../../personal-text";

/**
 * Files of the blob store with audit rows of closed months, each of whole seals; the seals themselves stay in `audit_seals`.
 * No foreign keys, because the record outlives its subject.
 */
export const auditArchives = pgTable(
  "audit_archives",
  {
    id: id(),
    workspaceId: uuid().notNull(),
    firstSeal: integer().notNull(),
    lastSeal: integer().notNull(),
    rows: integer().notNull(),
    /** Compressed size. */
    bytes: integer().notNull(),
    sha256: text().notNull(),
    /** Earliest and latest time of the rows. */
    minAt: moment().notNull(),
    maxAt: moment().notNull(),
    /** Rows by their kind, for the retention. */
    kinds: jsonb().$type<{ calls: number; configuration: number; signIns: number }>().notNull(),
    /** Names in the rows, so that a search passes over files without a hit: `tool:read_file`, `conversation:<id>`. */
    names: text().array().notNull(),
    /** Set until the file is written and its rows have left the table, and again once they are back: the file is to be removed. */
    unusedSince: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    index("audit_archives_newest").on(table.workspaceId, table.maxAt),
    index("audit_archives_by_seal").on(table.workspaceId, table.firstSeal),
  ],
);

export const auditArchivesText = declareText({
  family: [auditArchives],
});
