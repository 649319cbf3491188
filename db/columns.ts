import { sql } from "drizzle-orm";
import { customType, timestamp, uuid } from "drizzle-orm/pg-core";
import { v7 } from "./uuid";

/** Primary key: UUIDv7, so that ids sort by time and indexes stay warm at their end. */
export const id = () => uuid().primaryKey().$defaultFn(v7);

/** Point in time, milliseconds, as `Date`. */
export const moment = () => timestamp({ withTimezone: true, precision: 3, mode: "date" });

export const createdAt = () => moment().notNull().default(sql`now()`);
export const times = {
  createdAt: createdAt(),
  updatedAt: moment()
    .notNull()
    .default(sql`now()`)
    .$onUpdate(() => new Date()),
};

/** Words of a text as `server/retrieval/stored-words.ts` writes them: `'word':1,2` with `A` behind the places in headings. */
export const wordVector = customType<{ data: string }>({ dataType: () => "tsvector" });

/** Bytes, as a Buffer. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/** A string of zeros and ones. */
export const bits = customType<{ data: string }>({ dataType: () => "bit varying" });
