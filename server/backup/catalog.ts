import "server-only";
import type postgres from "postgres";
import { bossSchema } from "@/server/jobs/work-items";

/** A connection, or a transaction on it. */
export type Queryable = postgres.Sql | postgres.TransactionSql;

export type Table = { schema: string; name: string; columns: string[] };
export type ForeignKey = { schema: string; table: string; name: string; definition: string };

const schemas = ["public", bossSchema];

/** Tables of pg-boss without work: its version, which its schema brings, its statistics and its own pending index builds. */
const leftOut = new Set(["version", "warning", "queue_stats", "bam"].map((name) => `${bossSchema}.${name}`));

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const quotedTable = ({ schema, name }: Pick<Table, "schema" | "name">): string => `${quoted(schema)}.${quoted(name)}`;

/** Returns the tables with rows to keep, and their columns without generated ones. Partitions belong to their parent. */
export async function readTables(sql: Queryable): Promise<Table[]> {
  const rows = await sql<Table[]>`
    select n.nspname as schema, c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ${sql(schemas)}
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    group by n.nspname, c.relname
    order by n.nspname, c.relname`;
  return rows.filter(({ schema, name }) => !leftOut.has(`${schema}.${name}`)).map((row) => ({ ...row }));
}

/** Returns the foreign keys without those that partitions inherit. */
export async function readForeignKeys(sql: Queryable): Promise<ForeignKey[]> {
  return sql<ForeignKey[]>`
    select n.nspname as schema, c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_namespace n on n.oid = c.relnamespace
    where k.contype = 'f' and k.conparentid = 0 and n.nspname in ${sql(schemas)}
    order by 1, 2, 3`;
}

/** Returns the months with a partition of the audit, such as `2026_11`. */
export async function readAuditMonths(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.audit_events'::regclass order by 1`;
  return rows.flatMap(({ name }) => /^audit_events_(\d{4}_\d{2})$/.exec(name)?.[1] ?? []);
}
