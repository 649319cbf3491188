import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { replicaEndings, replicaRoles } from "../../contracts/replicas";
import { moment } from "../columns";

/**
 * Every process that ever served or worked, by boot id. Whether one is alive says its advisory lock, which Postgres lets
 * go with the process; the row is what people and recovery read.
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
    /** Stopped in order, or found dead by another replica. */
    ending: text({ enum: replicaEndings }),
  },
  (table) => [
    index("replicas_running").on(table.startedAt).where(sql`${table.endedAt} is null`),
    check("replicas_ended_somehow", sql`(${table.endedAt} is null) = (${table.ending} is null)`),
  ],
);
