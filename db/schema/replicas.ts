import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { replicaEndings, replicaRoles } from "../../contracts/operations/replicas";
import { createdAt, id, moment } from "../columns";
import { declareText } from "../personal-text";

/**
 * Every process that ever served or worked, by boot id. An advisory lock tells whether a replica is alive, because
 * Postgres releases the lock when the process dies; people and recovery read the row.
 */
export const replicas = pgTable(
  "replicas",
  {
    bootId: uuid().primaryKey(),
    role: text({ enum: replicaRoles }).notNull(),
    host: text().notNull(),
    pid: integer().notNull(),
    version: text().notNull(),
    startedAt: moment().notNull().default(sql`now()`),
    endedAt: moment(),
    /** Whether the replica stopped in order or another replica found it dead. */
    ending: text({ enum: replicaEndings }),
  },
  (table) => [
    index("replicas_running").on(table.startedAt).where(sql`${table.endedAt} is null`),
    check("replicas_ended_somehow", sql`(${table.endedAt} is null) = (${table.ending} is null)`),
  ],
);

/** Messages from one replica to another; the addressee deletes what it reads. */
export const replicaMessages = pgTable(
  "replica_messages",
  {
    id: id(),
    /** Boot id of the addressee. */
    addressee: uuid().notNull(),
    topic: text().notNull(),
    /** Sealed JSON, because arguments and results of calls may be secret. */
    bodySealed: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.addressee, table.id), index().on(table.createdAt)],
);

export const replicasText = declareText({
  stays: [replicas, replicaMessages],
});
