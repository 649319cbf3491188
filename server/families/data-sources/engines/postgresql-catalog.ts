import type { TransactionSql as Transaction } from "postgres";
import { catalogLimits, type ForeignKey, queryLimits, type TableDetails, type TableInfo } from "./engine";

/** Lists the tables and views that the user may read. */
export async function listTables(tx: Transaction): Promise<TableInfo[]> {
  const rows = await tx.unsafe(
    `select case when n.nspname = 'public' then c.relname else n.nspname || '.' || c.relname end as name,
      case when c.relkind in ('v', 'm') then 'view' else 'table' end as type, obj_description(c.oid, 'pg_class') as comment
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema')
      and n.nspname not like 'pg\\_%' and has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')
    order by n.nspname <> 'public', n.nspname, c.relname limit ${queryLimits.tables}`,
  );
  return rows.map(({ name, type, comment }) => ({ name, type, comment }));
}

/** Describes a table that the user may read, with the values of enum types and the foreign keys in both directions. */
export async function describeTable(tx: Transaction, table: string): Promise<TableDetails> {
  const [schema, name] = table.includes(".") ? splitAtDot(table) : [null, table];
  const rows = await tx.unsafe(
    `select c.oid::text as oid, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable,
      exists (select 1 from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any(i.indkey)) as "isKey",
      (select json_agg(label) from (select e.enumlabel as label from pg_catalog.pg_enum e where e.enumtypid in (b.oid, b.typelem)
        order by e.enumsortorder limit ${catalogLimits.values}) as labels) as values,
      col_description(c.oid, a.attnum) as comment
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_catalog.pg_type t on t.oid = a.atttypid
      join pg_catalog.pg_type b on b.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relname = $1::text and n.nspname = coalesce($2::text, 'public')
      and has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')
    order by a.attnum`,
    [name, schema],
  );
  const columns = rows.map(({ name, type, nullable, isKey, values, comment }) => ({
    name,
    type,
    nullable,
    isKey,
    ...(values ? { values } : {}),
    comment,
  }));
  const oid = rows[0]?.oid;
  return { columns, ...(oid === undefined ? { foreignKeys: [], referencedBy: [] } : await foreignKeysOf(tx, oid)) };
}

/** Names a table as listTables does: one in the schema public stands without it. */
const tableName = (side: "s" | "t") =>
  `case when ${side}n.nspname = 'public' then ${side}c.relname else ${side}n.nspname || '.' || ${side}c.relname end`;
const columnNames = (keys: string, table: string) =>
  `(select json_agg(a.attname order by k.place) from unnest(${keys}) with ordinality as k(number, place)
    join pg_catalog.pg_attribute a on a.attrelid = ${table} and a.attnum = k.number)`;

async function foreignKeysOf(tx: Transaction, oid: string): Promise<Pick<TableDetails, "foreignKeys" | "referencedBy">> {
  // PostgreSQL repeats a foreign key for each partition of either table; the one of the whole table is enough.
  const rows = await tx.unsafe(
    `select f.conrelid = $1::text::oid as "isOwn", f.confrelid = $1::text::oid as "isTarget", ${tableName("s")} as table,
      ${columnNames("f.conkey", "f.conrelid")} as columns, ${tableName("t")} as target, ${columnNames("f.confkey", "f.confrelid")} as "targetColumns"
    from pg_catalog.pg_constraint f
      join pg_catalog.pg_class sc on sc.oid = f.conrelid join pg_catalog.pg_namespace sn on sn.oid = sc.relnamespace
      join pg_catalog.pg_class tc on tc.oid = f.confrelid join pg_catalog.pg_namespace tn on tn.oid = tc.relnamespace
      left join pg_catalog.pg_constraint p on p.oid = f.conparentid
    where f.contype = 'f' and ((f.conrelid = $1::text::oid and p.conrelid is distinct from f.conrelid)
      or (f.confrelid = $1::text::oid and p.oid is null and has_table_privilege(f.conrelid, 'select')))
    order by 3, f.conname limit ${catalogLimits.foreignKeys}`,
    [oid],
  );
  const keyOf = ({ table, columns, target, targetColumns }: (typeof rows)[number]): ForeignKey => ({
    table,
    columns,
    target,
    targetColumns,
  });
  return { foreignKeys: rows.filter(({ isOwn }) => isOwn).map(keyOf), referencedBy: rows.filter(({ isTarget }) => isTarget).map(keyOf) };
}

/** Splits `schema.table` at its first dot. */
function splitAtDot(text: string): [string, string] {
  const dot = text.indexOf(".");
  return [text.slice(0, dot), text.slice(dot + 1)];
}
