import "server-only";
import { type Column, eq, getTableColumns, getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import type { Db } from "@/db/client";
import * as schema from "@/db/schema";

/** Columns of settings that may hold sealed texts, whole or as members of JSON. */
const holdsSecrets = (column: string) => /sealed/i.test(column) || ["secret", "providers"].includes(column);

type SettingTable = { noun: string; table: PgTable; workspaceId: Column; columns: Record<string, Column> };

/** Secrets in rows of their own: the thing to which they belong has the version. */
const withoutVersion: ReadonlySet<PgTable> = new Set([schema.skillSecrets]);

/** Tables of settings with secrets, found by their columns: a workspace, a version, and a column for sealed texts. */
export const settingTables: readonly SettingTable[] = Object.values(schema as Record<string, unknown>)
  .filter((table): table is PgTable => is(table, PgTable))
  .flatMap((table) => {
    const all = getTableColumns(table) as Record<string, Column>;
    const columns = Object.fromEntries(Object.entries(all).filter(([name]) => holdsSecrets(name)));
    if (!all.workspaceId || Object.keys(columns).length === 0) return [];
    if (!all.version && !withoutVersion.has(table)) return [];
    return [{ noun: getTableName(table).replaceAll("_", " "), table, workspaceId: all.workspaceId, columns }];
  });

/** The form of a text from `seal`. */
const sealedForm = /^v1\.[\w-]{16}\.[\w-]+$/;

function sealedTexts(value: unknown): string[] {
  if (typeof value === "string") return sealedForm.test(value) ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(sealedTexts) : [];
}

/** Reads the sealed texts of all settings, by noun. @param workspaceId null for every workspace */
export async function readSealedSettings(tx: Db, workspaceId: string | null): Promise<{ noun: string; sealed: string[] }[]> {
  return Promise.all(
    settingTables.map(async ({ noun, table, columns, workspaceId: owner }) => {
      const rows = await tx
        .select(columns as Record<string, never>)
        .from(table)
        .where(workspaceId === null ? undefined : eq(owner, workspaceId));
      return { noun, sealed: sealedTexts(rows) };
    }),
  );
}
