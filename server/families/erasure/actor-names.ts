import "server-only";
import { is, sql } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "@/db/client";
import * as schema from "@/db/schema";
import type { RunningErasure } from "@/server/platform/extension-points/forget-person";

/** Columns that hold who did something, as `ActorRef`. */
export const actorColumnNames: ReadonlySet<string> = new Set([
  "actor",
  "added_by",
  "author",
  "created_by",
  "decided_by",
  "done_by",
  "granted_by",
  "key",
  "last_updated_by",
  "requested_by",
  "revoked_by",
  "started_by",
  "cancelled_by",
]);

export const erasedName = "Erased person";

/** Overwrites the name of a person wherever rows of the workspace say who did something. @returns rows by table */
export async function overwriteNames(tx: Db, { workspaceId, id }: RunningErasure): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of Object.values(schema).filter((value) => is(value, PgTable))) {
    const { name, columns } = getTableConfig(table);
    const workspace = columns.find((column) => column.name === "workspace_id" || column.name === "workspaceId");
    for (const column of columns) {
      if (column.getSQLType() !== "jsonb" || !actorColumnNames.has(snake(column.name))) continue;
      const own = sql.identifier(snake(column.name));
      const changed = await tx.execute(sql`
        update ${table} set ${own} = jsonb_set(${own}, '{name}', ${JSON.stringify(erasedName)}::jsonb)
        where ${own} ->> 'id' = ${id} and ${own} ->> 'name' <> ${erasedName} ${workspace ? sql`and workspace_id = ${workspaceId}` : sql``}`);
      if (changed.count > 0) counts[`names in ${name.replaceAll("_", " ")}`] = changed.count;
    }
  }
  return counts;
}

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
