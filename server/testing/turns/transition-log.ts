import { sql } from "drizzle-orm";
import { db } from "@/server/platform/database/database";

/** One write of a turn's or call's row: the old status (null for a new row) and the new status. */
export type Transition = { table: "turns" | "tool_calls"; id: string; turnId: string; name: string; was: string | null; now: string };

/** Installs triggers: Postgres records every write of a turn or a call from now on, by any writer. */
export async function logTransitions(): Promise<void> {
  await db().execute(sql`
    create table transitions (
      place bigint generated always as identity, "table" text, id uuid, "turnId" uuid, "conversationId" uuid, name text, was text, now text
    )`);
  await db().execute(sql`
    create function note_transition() returns trigger language plpgsql as $$
    declare row jsonb := to_jsonb(new);
    begin
      insert into transitions ("table", id, "turnId", "conversationId", name, was, now) values (
        tg_table_name, new.id, coalesce(row->>'turn_id', row->>'id')::uuid, (row->>'conversation_id')::uuid, row->>'requested_name',
        case when tg_op = 'UPDATE' then old.status end, new.status
      );
      return null;
    end $$`);
  for (const table of ["turns", "tool_calls"]) {
    await db().execute(sql`
      create trigger note_transition after insert or update on ${sql.identifier(table)}
      for each row execute function note_transition()`);
  }
}

/** Lists the writes of these conversations' turns and calls, in the order of writing. */
export async function listTransitions(conversationIds: readonly string[]): Promise<Transition[]> {
  const rows = await db().execute<Transition>(sql`
    select "table", id, "turnId", name, was, now from transitions
    where "turnId" in (select id from transitions where "conversationId" in ${conversationIds})
    order by place`);
  return [...rows];
}
