import "server-only";
import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";

/** Returns the time of the database, in whole milliseconds. Replicas agree on it, whatever their own clocks say. */
export async function databaseNow(tx: Pick<Db, "execute">): Promise<Date> {
  const [row] = await tx.execute<{ ms: number }>(sql`select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms`);
  if (!row) throw new Error("the database did not tell its time");
  return new Date(row.ms);
}
