import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { exportAuditEvents } from "@/server/audit-log/export-audit-events";
import type { Authorized } from "@/server/auth/actor";
import { sealedLines } from "@/server/families/audit-proof/sealed-export";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";

/** Places that show one of the texts: every column of every table, the sealed and the plain export, and every file of the data folder. */
export async function placesOfText(reader: Authorized<"audit:read">, texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const patterns = sql.param(texts.map((text) => `%${text}%`));
  const shows = (line: string) => texts.some((text) => line.includes(text));
  const tables = await db().execute<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`);
  for (const { name } of tables) {
    const [row] = await db().execute<{ hits: number }>(
      sql`select count(*)::int as hits from ${sql.raw(name)} t where t::text ilike any(${patterns}::text[])`,
    );
    if (row && row.hits > 0) found.push(name);
  }
  for await (const line of sealedLines(reader)) if (shows(line)) found.push("sealed export");
  const exported = await new Response(await exportAuditEvents(reader, {}, "ndjson")).text();
  if (shows(exported)) found.push("export");
  return [...found, ...[env().dataDir, env().workspaceRoot].flatMap((folder) => filesWith(folder, texts))];
}

function filesWith(folder: string, texts: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile()) return [];
    const place = path.join(entry.parentPath, entry.name);
    const bytes = readFileSync(place);
    const content = entry.name.endsWith(".gz") ? gunzipSync(bytes) : bytes;
    return texts.some((text) => content.includes(text) || entry.name.includes(text)) ? [place] : [];
  });
}
