import "server-only";
import { is, type SQL, sql } from "drizzle-orm";
import { type AnyPgTable, getTableConfig, PgTable } from "drizzle-orm/pg-core";
import * as schema from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { allForgetting, type Subject } from "@/server/platform/extension-points/forget-person";
import { personalTables, readPersonalRows, titleOf } from "./personal-rows";
import { type Named, nameOf, subjectOf } from "./subjects";

/** Yields everything that the workspace holds of a person, a line of JSON a row, and records the export. */
export async function* personLines(actor: Authorized<"people:erase">, kind: Named["kind"], id: string): AsyncGenerator<string, void, void> {
  const named = { workspaceId: actor.workspaceId, kind, id };
  await nameOf(named);
  const entry = {
    workspaceId: actor.workspaceId,
    event: "person.data_exported" as const,
    actor: toActorRef(actor),
    requestId: actor.requestId,
  };
  await record(db(), { ...entry, subject: id, data: { kind } });
  const subject = subjectOf(named);
  yield line("export", { format: "handrail-person-1", kind, personId: id, exportedAt: new Date().toISOString() });
  for (const row of await readPerson(subject)) yield line(kind, row);
  const conversations = await db().execute<{ row: { id: string } }>(sql`
    select to_jsonb(c) as row from conversations c where c.id in (${subject.conversations}) order by c.id`);
  for (const { row } of conversations) yield line("conversations", row);
  for (const { table, rows } of takenAlong(subject)) for (const row of await readRows(table, rows)) yield line(titleOf(table), row);
  for (const rows of personalTables()) for (const row of await readPersonalRows(rows, subject)) yield line(titleOf(rows.table), row);
  for (const forgetting of allForgetting()) for await (const { table, row } of forgetting.read(subject)) yield line(table, row);
}

/** Sealed values, hashes and words of indexes are left out: they are of no use to a person. */
const isLeftOut = (name: string) => /sealed|hash|digest|^words$|embedding|search_text/.test(name);

const line = (table: string, row: object) =>
  `${JSON.stringify({ table, row: Object.fromEntries(Object.entries(row).filter(([name]) => !isLeftOut(name))) })}\n`;

async function readPerson({ kind, id }: Named): Promise<object[]> {
  if (kind === "conversation") return [];
  if (kind === "member") return readQuery(sql`select to_jsonb(u) as row from users u where u.id = ${id}::uuid`);
  return readQuery(sql`select to_jsonb(c) || jsonb_build_object('addresses', (
    select coalesce(jsonb_agg(to_jsonb(a)), '[]') from contact_addresses a where a.contact_id = c.id)) as row from contacts c where c.id = ${id}::uuid`);
}

/** Tables whose rows go with a conversation, and those of the person's conversations. */
function takenAlong({ conversations }: Subject): { table: AnyPgTable; rows: SQL }[] {
  const declared = new Set(personalTables().map(({ table }) => getTableConfig(table).name));
  const ids: Record<string, SQL> = {
    conversations,
    turns: sql`select t.id from turns t where t.conversation_id in (${conversations})`,
    runs: sql`select r.id from runs r where r.conversation_id in (${conversations})`,
  };
  return Object.values(schema).flatMap((table) => {
    if (!is(table, PgTable) || declared.has(getTableConfig(table).name)) return [];
    for (const { onDelete, reference } of getTableConfig(table).foreignKeys) {
      const { columns, foreignTable } = reference();
      const among = ids[getTableConfig(foreignTable).name];
      const [column] = columns;
      if (onDelete === "cascade" && among && column && column.name !== "parentConversationId")
        return [{ table, rows: sql`${column} in (${among})` }];
    }
    return [];
  });
}

function readRows(table: AnyPgTable, rows: SQL): Promise<object[]> {
  return readQuery(sql`select to_jsonb(${sql.identifier(getTableConfig(table).name)}) as row from ${table} where ${rows}`);
}

async function readQuery(query: ReturnType<typeof sql>): Promise<object[]> {
  const rows = await db().execute<{ row: object }>(query);
  return rows.map(({ row }) => row);
}
