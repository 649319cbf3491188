import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { eq, sql } from "drizzle-orm";
import postgres from "postgres";
import { expect, test } from "vitest";
import { migrateDatabase } from "@/db/migrate";
import { agents, approvals, artifacts, hooks, modelProviders, turns, workspaces } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { requirePermission } from "@/server/auth/actor";
import { readArtifact } from "@/server/conversations/artifacts";
import { checkSecretKey } from "@/server/families/secret-key/check-secret-key";
import { unseal } from "@/server/platform/crypto";
import { closeDatabase, databaseUrl, db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { version } from "@/server/platform/version";
import { beginAsNewProcess } from "@/server/testing/begin-as-new-process";
import { buildApiKey, buildUser } from "@/server/testing/builders";
import { neverAborted, startStageWork } from "@/server/testing/stage";
import { emptyDatabase, useTestDatabase } from "@/server/testing/test-database";
import { loadTurn } from "@/server/turns/read/load-turn";
import { waitForTurn } from "@/server/turns/read/wait-for-turn";
import { quotedTable, readForeignKeys, readTables } from "./catalog";
import { restoreBackup } from "./restore-backup";
import { fixtureSlug, versionKey } from "./versions/fill-version";

useTestDatabase();

const migrationsFolder = path.resolve(import.meta.dirname, "../../drizzle");
const versionsFolder = path.join(import.meta.dirname, "versions");
/** Tables that have another name today than in a released version. */
const renamed: Readonly<Record<string, string>> = {
  channels: "topics",
  channel_messages: "topic_messages",
  channel_watches: "topic_watches",
  channel_deliveries: "topic_deliveries",
};
const asNamedNow = <T extends { name: string }>(table: T): T => ({ ...table, name: renamed[table.name] ?? table.name });
const versions = readdirSync(versionsFolder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));

async function describeDatabase(url: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const columns = await sql`
      select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
      where table_schema = 'public' and table_name not like 'audit_events_%' order by 1, 2`;
    const indexes = await sql`
      select indexdef from pg_indexes where schemaname in ('public', 'pgboss') and tablename !~ '^(queue_stats|audit_events)_' order by 1`;
    const [durableWork] = await sql`select version from pgboss.version`;
    return { columns: [...columns], indexes: [...indexes], keys: [...(await readForeignKeys(sql))], durableWork };
  } finally {
    await sql.end();
  }
}

async function countRows(url: string): Promise<Map<string, number>> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const counts = new Map<string, number>();
    for (const table of await readTables(sql)) {
      const [row] = await sql.unsafe(`select count(*)::int as rows from ${quotedTable(table)}`);
      counts.set(quotedTable(table), row?.rows);
    }
    return counts;
  } finally {
    await sql.end();
  }
}

test("this version has a database of its own to upgrade from", () => {
  expect(versions).toContain(version);
});

test.each(versions)(
  "a database of %s is migrated with every row, and the product finds them",
  async (from) => {
    const present = await describeDatabase(databaseUrl());
    await closeDatabase();
    const url = await emptyDatabase();
    const dataDir = path.join(env().dataDir, from);
    const workspaceRoot = path.join(dataDir, "workspaces");
    Object.assign(process.env, {
      DATABASE_URL: url,
      HANDRAIL_DATA_DIR: dataDir,
      HANDRAIL_WORKSPACE_ROOT: workspaceRoot,
      HANDRAIL_SECRET_KEY: versionKey,
    });
    beginAsNewProcess();
    const folder = path.join(versionsFolder, from);
    const backup = await restoreBackup({ url, folder, migrationsFolder, signal: neverAborted, say: () => {} });
    expect(backup.version).toBe(from);
    expect(backup.tables.filter(({ schema, rows }) => schema === "public" && rows === 0)).toEqual([]);

    await migrateDatabase(url, migrationsFolder);
    const counts = await countRows(url);
    for (const table of backup.tables) expect([table.name, counts.get(quotedTable(asNamedNow(table)))]).toEqual([table.name, table.rows]);

    const stop = await startStageWork();
    try {
      expect(await describeDatabase(url)).toEqual(present);
      await checkSecretKey(false, (sentence) => expect.fail(sentence));
      const [workspace] = await db().select().from(workspaces).where(eq(workspaces.slug, fixtureSlug));
      if (!workspace) throw new Error("The workspace is not there");
      const known = await db().select().from(turns).where(eq(turns.workspaceId, workspace.id));
      const done = known.find(({ status }) => status === "completed");
      const asked = known.find(({ status }) => status === "suspended");
      const loaded = await loadTurn(done?.id ?? "");
      expect(loaded?.calls.map(({ content }) => content)).toEqual(["saw of the released version"]);
      const [approval] = await db()
        .select()
        .from(approvals)
        .where(eq(approvals.turnId, asked?.id ?? ""));
      expect(approval).toMatchObject({ status: "pending" });

      const [agent] = await db().select().from(agents).where(eq(agents.workspaceId, workspace.id));
      const reader = requirePermission(await buildApiKey(workspace.id, { agentId: agent?.id ?? "" }), "turns:read");
      const [artifact] = await db().select().from(artifacts).where(eq(artifacts.workspaceId, workspace.id));
      const { stream } = await readArtifact(reader, artifact?.id ?? "");
      expect(await new Response(stream).text()).toBe("an artifact of the released version");
      const [provider] = await db().select().from(modelProviders).where(eq(modelProviders.workspaceId, workspace.id));
      expect(unseal(provider?.keySealed ?? "")).toBe("sk-1234567890abcdef");
      const approver = requirePermission(await buildUser(workspace.id, "approver"), "approvals:decide");
      // The row that only fills its table is no hook that could run, and a hook that cannot run stops each call.
      await db().delete(hooks);
      // The backup is older than the time for the answer.
      await db().update(approvals).set({ expiresAt: sql`now() + interval '1 hour'` });
      await decideApproval(approver, approval?.id ?? "", { decision: "approve", comment: "" });
      const resumed = await waitForTurn(asked?.id ?? "", 20, neverAborted);
      expect(resumed).toMatchObject({ status: "completed", calls: [{ status: "failed", content: expect.any(String) }] });
      expect(readFileSync(path.join(workspaceRoot, "folder/file.txt"), "utf8")).toBe("a file of the released version");
    } finally {
      await stop();
    }
  },
  90_000,
);
