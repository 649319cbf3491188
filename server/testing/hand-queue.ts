import { sql } from "drizzle-orm";
import { db } from "@/server/platform/database";
import { type JobData, provideQueue } from "@/server/platform/queue";

/**
 * A job queue whose jobs the test delivers by hand: when it likes, twice, or never. Like the real one a job is there if
 * and only if the transaction that sent it commits.
 */
export async function useHandQueue(): Promise<void> {
  await db().execute(sql`create table sent_jobs (id bigint generated always as identity, name text, data jsonb)`);
  provideQueue({
    async send(tx, name, data) {
      await tx.execute(sql`insert into sent_jobs (name, data) values (${name}, ${JSON.stringify(data)}::jsonb)`);
    },
  });
}

/** Turns whose resume job was sent and not forgotten, oldest first. */
export async function turnsToResume(): Promise<string[]> {
  const rows = await db().execute<{ data: JobData["resume_turn"] }>(sql`select data from sent_jobs where name = 'resume_turn' order by id`);
  return rows.map(({ data }) => data.turnId);
}

/** Forgets the jobs that resume a turn, as a queue does once one of them was carried out. */
export async function forgetResume(turnId: string): Promise<void> {
  await db().execute(sql`delete from sent_jobs where name = 'resume_turn' and data->>'turnId' = ${turnId}`);
}
