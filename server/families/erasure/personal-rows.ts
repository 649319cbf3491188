import "server-only";
import { is, type SQL, sql } from "drizzle-orm";
import { type AnyPgColumn, type AnyPgTable, getTableConfig, PgColumn } from "drizzle-orm/pg-core";
import type { Db } from "@/db/client";
import { isTextDeclaration, type PersonalRows } from "@/db/personal-text";
import * as schema from "@/db/schema";
import { db } from "@/server/platform/database/database";
import type { RunningErasure, Subject } from "@/server/platform/extension-points/forget-person";

/** Rows that one statement removes at most. */
const rowsAtOnce = 2_000;

/** Tables with rows that go, as the files of the schema declare them. */
export const personalTables = (): PersonalRows[] =>
  Object.values(schema)
    .filter(isTextDeclaration)
    .flatMap(({ goes }) => goes);

/** Columns of contents in the blob store, over all tables. */
export const blobColumns = (): { table: AnyPgTable; blob: AnyPgColumn | SQL<string | null> }[] => [
  ...personalTables().flatMap(({ table, blobs = [] }) => blobs.map((blob) => ({ table, blob }))),
  { table: schema.knowledgeSources, blob: schema.knowledgeSources.sha256 },
];

const ownerPrefix = { contact: "contact", member: "user" } as const;

/** SQL that selects the rows of a table that belong to a person or to a conversation of the person. */
export function belongsTo(rows: PersonalRows, subject: Subject): SQL {
  const { conversations, kind, id } = subject;
  const ties: SQL[] = [];
  const among = (column: AnyPgColumn | undefined, query: SQL) => {
    if (column)
      ties.push(
        column.getSQLType() === "uuid" ? sql`${column} in (${query})` : sql`${column} in (select ids.id::text from (${query}) as ids (id))`,
      );
  };
  among(rows.conversation, conversations);
  among(rows.turn, sql`select t.id from turns t where t.conversation_id in (${conversations})`);
  among(rows.run, sql`select r.id from runs r where r.conversation_id in (${conversations})`);
  among(rows.approval, sql`select a.id from approvals a where a.conversation_id in (${conversations})`);
  if (rows.mentions) {
    ties.push(sql`exists (select from (${conversations}) as named (id) where position(named.id::text in ${rows.mentions}::text) > 0)`);
  }
  if (kind !== "conversation") {
    if (rows.person) ties.push(sql`${rows.person}::text = ${id}`);
    if (rows.author) ties.push(sql`${rows.author} ->> 'id' = ${id}`);
    if (rows.maker && kind === "contact") ties.push(sql`${rows.maker} ->> 'id' = ${id}`);
    if (rows.owner) ties.push(sql`${rows.owner} = ${`${ownerPrefix[kind]}:${id}`}`);
    if (rows.rows) ties.push(rows.rows({ kind, id }));
  }
  const any = ties.length > 0 ? sql.join(ties, sql` or `) : sql`false`;
  const workspace = getTableConfig(rows.table).columns.find(({ name }) => name === "workspaceId" || name === "workspace_id");
  return workspace ? sql`${workspace} = ${subject.workspaceId} and (${any})` : sql`(${any})`;
}

export const titleOf = (table: AnyPgTable): string => getTableConfig(table).name.replaceAll("_", " ");

export async function countRows(rows: PersonalRows, subject: Subject): Promise<number> {
  const [counted] = await db().execute<{ rows: number }>(
    sql`select count(*)::int as rows from ${rows.table} where ${belongsTo(rows, subject)}`,
  );
  return counted?.rows ?? 0;
}

/**
 * Removes a part of the rows, and notes in the same transaction what has to follow: contents of the blob store, and ids that
 * audit events may name.
 * @returns the rows that went; 0 when none is left
 */
export async function removeRows(tx: Db, rows: PersonalRows, erasure: RunningErasure): Promise<number> {
  const { table, blobs = [] } = rows;
  const name = sql.identifier(getTableConfig(table).name);
  const id = getTableConfig(table).columns.find((column) => is(column, PgColumn) && column.name === "id");
  const names =
    blobs.length > 0
      ? sql`array_remove(array[${sql.join(
          blobs.map((blob) => sql`${blob}`),
          sql`, `,
        )}]::text[], null)`
      : sql`array[]::text[]`;
  const [gone] = await tx.execute<{ rows: number }>(sql`
    with gone as (
      delete from ${table} where ${name}.ctid = any(array(select ctid from ${table} where ${belongsTo(rows, erasure)} limit ${rowsAtOnce}))
      returning ${id ? sql`${id}::text` : sql`null::text`} as id, ${names} as blobs
    ), noted as (
      insert into erasure_items (erasure_id, kind, name)
      select ${erasure.erasureId}::uuid, 'row', id from gone where id is not null
      union select ${erasure.erasureId}::uuid, 'blob', unnest(blobs) from gone
      on conflict do nothing
    )
    select count(*)::int as rows from gone`);
  return gone?.rows ?? 0;
}

/** Reads a table's rows of a person for an export; secrets in them are sealed. */
export async function readPersonalRows(rows: PersonalRows, subject: Subject): Promise<object[]> {
  const name = sql.identifier(getTableConfig(rows.table).name);
  const found = await db().execute<{ row: object }>(
    sql`select to_jsonb(${name}) as row from ${rows.table} where ${belongsTo(rows, subject)}`,
  );
  return found.map(({ row }) => row);
}
