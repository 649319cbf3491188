import "server-only";
import type postgres from "postgres";
import { StartError } from "@/db/start-error";
import { toErrorMessage } from "@/server/platform/errors";
import { quoted, quotedTable, readTables } from "../catalog";

type Column = { name: string; type: string; table: string | null; column: string | null };

/** Inserts a row into each empty table of the product: required columns get a value of their type, or of a referenced row. */
export async function fillEmptyTables(sql: postgres.Sql): Promise<void> {
  const own = (await readTables(sql)).filter(({ schema }) => schema === "public");
  const pending = [];
  for (const table of own) {
    const [row] = await sql.unsafe(`select exists (select from ${quotedTable(table)}) as filled`);
    if (!row?.filled) pending.push(table);
  }
  // A table waits until those that it references have rows.
  let failures: string[] = [];
  for (let before = -1; pending.length > 0 && before !== pending.length; ) {
    before = pending.length;
    failures = [];
    for (const table of pending.splice(0)) {
      try {
        await insertRow(sql, table);
      } catch (error) {
        failures.push(`${table.name}: ${toErrorMessage(error)}`);
        pending.push(table);
      }
    }
  }
  if (pending.length > 0) throw new StartError(`Not filled: ${failures.join("; ")}`);
}

/** Optional columns that a check of the table requires beside the others. */
const required: Record<string, Record<string, string>> = {
  runs: { finished_at: "now()" },
  schedules: { next_run_at: "'2100-01-01'" },
};

async function insertRow(sql: postgres.Sql, table: { schema: string; name: string }): Promise<void> {
  const columns = await sql<Column[]>`
    select a.attname as name, format_type(a.atttypid, null) as type, f.confrelid::regclass::text as table, r.attname as column
    from pg_attribute a
    left join pg_constraint f on f.conrelid = a.attrelid and f.contype = 'f' and f.conkey = array[a.attnum]
    left join pg_attribute r on r.attrelid = f.confrelid and r.attnum = f.confkey[1]
    where a.attrelid = ${`${table.schema}.${table.name}`}::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and a.attnotnull and not a.atthasdef`;
  const values = columns.map(({ type, table: referenced, column }) =>
    referenced && column ? `(select ${quoted(column)} from ${referenced} limit 1)` : literalOf(type),
  );
  const more = Object.entries(required[table.name] ?? {});
  const names = [...columns.map(({ name }) => name), ...more.map(([name]) => name)];
  await sql.unsafe(
    `insert into ${quotedTable(table)} (${names.map(quoted).join(", ")}) values (${[...values, ...more.map(([, value]) => value)].join(", ")})`,
  );
}

function literalOf(type: string): string {
  if (type.endsWith("[]")) return "'{}'";
  if (type === "uuid") return "gen_random_uuid()";
  if (type.startsWith("json")) return "'{}'";
  if (type.startsWith("timestamp") || type === "date") return "now()";
  if (type === "boolean") return "false";
  return type === "text" ? "'fixture'" : type === "bytea" ? "'\\x00'" : "1";
}
