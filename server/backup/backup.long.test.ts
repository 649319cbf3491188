import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { beforeAll, expect, test, vi } from "vitest";
import { artifacts, auditEvents, fileChanges, modelProviders, turns } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { ensureAuditPartitions } from "@/server/audit/ensure-partitions";
import { listAuditEvents } from "@/server/audit-log/list-audit-events";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { readArtifact } from "@/server/conversations/artifacts";
import { checkSecretKey } from "@/server/families/secret-key/check-secret-key";
import { createProvider } from "@/server/models/change-providers";
import { unseal } from "@/server/platform/crypto";
import { closeDatabase, databaseUrl, db } from "@/server/platform/database/database";
import { env, provideEnv } from "@/server/platform/env";
import { forgetProcess } from "@/server/platform/process-wide";
import { beginAsNewProcess } from "@/server/testing/begin-as-new-process";
import { authorize } from "@/server/testing/builders";
import { probes } from "@/server/testing/probe-tools";
import {
  approverActor,
  neverAborted,
  onlyApproval,
  openStage,
  type Stage,
  startStageWork,
  statuses,
  submitCalls,
} from "@/server/testing/stage";
import { emptyDatabase, useTestDatabase } from "@/server/testing/test-database";
import { temporaryFolder } from "@/server/testing/tool-context";
import { provideTools } from "@/server/tools/live-tools";
import { loadTurn } from "@/server/turns/read/load-turn";
import { waitForTurn } from "@/server/turns/read/wait-for-turn";
import { readForeignKeys, readTables } from "./catalog";
import { makeBackup } from "./make-backup";
import { manifestFile } from "./manifest";
import { restoreBackup } from "./restore-backup";
import { keyOfBackup } from "./secret-key";

useTestDatabase();
// A restore writes a hundred tables, which takes a busy machine long.
vi.setConfig({ testTimeout: 240_000 });

const migrationsFolder = path.resolve(import.meta.dirname, "../../drizzle");
const signal = neverAborted;
const silent = () => {};
const backUp = (folder: string) => makeBackup({ url: databaseUrl(), folder, migrationsFolder, signal, say: silent });
const newFolder = () => path.join(temporaryFolder(), "backup");

/** The backup of the first test, which the others restore. */
let backup: string;
let stage: Stage;
let sourceUrl: string;

/** Begins as a new process whose environment names other places. */
function moveTo(places: Record<string, string>): void {
  Object.assign(process.env, places);
  beginAsNewProcess();
}

async function newPlaces() {
  const dataDir = temporaryFolder();
  return { DATABASE_URL: await emptyDatabase(), HANDRAIL_DATA_DIR: dataDir, HANDRAIL_WORKSPACE_ROOT: path.join(dataDir, "workspaces") };
}

async function restoreTo(places: Awaited<ReturnType<typeof newPlaces>>, folder = backup) {
  await closeDatabase();
  moveTo(places);
  return restoreBackup({ url: places.DATABASE_URL, folder, migrationsFolder, signal, say: silent });
}

async function query<T>(url: string, ask: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  return ask(sql).finally(() => sql.end());
}

/** Makes a row of each kind that the restored product is asked for. */
async function fillInstallation() {
  await checkSecretKey(true, silent);
  await ensureAuditPartitions();
  stage = await openStage();
  const { workspace, admin } = stage.built;
  const provider = { name: "local", kind: "openai_compatible" as const, baseUrl: "http://127.0.0.1:9/v1", key: "sk-1234567890abcdef" };
  await createProvider(authorize(admin, "models:write"), { ...provider, enabled: true, models: [] });
  const stored = await blobs().put(Buffer.from("the bytes of an artifact"));
  const common = { workspaceId: workspace.id, conversationId: stage.conversationId };
  const [artifact] = await db()
    .insert(artifacts)
    .values({ ...common, name: "report.txt", mediaType: "text/plain", ...stored })
    .returning();
  const kept = await blobs().put(Buffer.from("the content before a change"));
  await db()
    .insert(fileChanges)
    .values({ ...common, actor: { type: "system", id: "", name: "" }, folder: "f", path: "a.txt", beforeBlob: kept.sha256 });
  const root = env().workspaceRoot;
  mkdirSync(path.join(root, "f/deep"), { recursive: true });
  writeFileSync(path.join(root, "f/deep/tool.sh"), "#!/bin/sh\necho hello\n", { mode: 0o750 });
  writeFileSync(Buffer.concat([Buffer.from(`${root}/f/`), Buffer.from([0xff, 0xfe])]), "a name that is not UTF-8");
  symlinkSync("/etc/hostname", path.join(root, "f/link"));
  chmodSync(path.join(root, "f/deep"), 0o500);
  mkdirSync(path.join(env().dataDir, "mcp/server"), { recursive: true });
  writeFileSync(path.join(env().dataDir, "mcp/server/memory.json"), "{}");
  if (!artifact) throw new Error("no artifact");
  return { artifact, kept: kept.sha256 };
}

let filled: Awaited<ReturnType<typeof fillInstallation>>;
let done: Awaited<ReturnType<typeof submitCalls>>;
let asked: Awaited<ReturnType<typeof submitCalls>>;
let source: Awaited<ReturnType<typeof describeDatabase>>;

/** The tables, foreign keys and indexes of a database. */
async function describeDatabase(sql: postgres.Sql) {
  const indexes =
    await sql`select indexdef from pg_indexes where schemaname in ('public', 'pgboss') and tablename not like 'queue_stats%' order by 1`;
  return { tables: await readTables(sql), keys: await readForeignKeys(sql), indexes: indexes.map(({ indexdef }) => indexdef) };
}

beforeAll(async () => {
  backup = path.join(env().dataDir, "backup");
  sourceUrl = databaseUrl();
  const stopWork = await startStageWork();
  filled = await fillInstallation();
  done = await submitCalls(stage, [["look", { text: "a\\b\tc\nd" }]]);
  asked = await submitCalls(stage, [["change", { text: "approved after the restore" }]]);
  // Writers, who go on until the backup is whole.
  let isWhole = false;
  let written = 0;
  const writer = async () => {
    while (!isWhole) {
      await submitCalls(
        stage,
        [
          ["look", { text: `load ${written++}` }],
          ["change", {}],
        ],
        { wait: 0 },
      );
    }
  };
  const writers = [writer(), writer(), writer(), writer()];
  await backUp(backup);
  isWhole = true;
  await Promise.all(writers);
  expect(written).toBeGreaterThan(0);
  await stopWork();
  source = await query(sourceUrl, describeDatabase);
}, 120_000);

test("a backup made under load restores to one moment, and a product started on it goes on where that moment was", async () => {
  const places = await newPlaces();
  const { missingBlobs, tables } = await restoreTo(places);
  expect(missingBlobs).toEqual([]);
  expect(await query(places.DATABASE_URL, describeDatabase)).toEqual(source);
  // A turn commits with its calls: tables of two moments would show turns without.
  const [torn] = await query(
    places.DATABASE_URL,
    (sql) => sql`select count(*)::int as turns from turns t where not exists (select from tool_calls c where c.turn_id = t.id)`,
  );
  expect(torn).toEqual({ turns: 0 });

  const stop = await startStageWork();
  provideTools(
    stage.built.workspace.id,
    stage.serverId,
    probes(stage).map((tool) => ({ ...tool, source: "mcp" as const, sourceRef: stage.serverId })),
  );
  await checkSecretKey(false, (sentence) => expect.fail(sentence));
  try {
    expect((await loadTurn(done.id))?.calls.map(({ content }) => content)).toEqual(["saw a\\b\tc\nd"]);
    const waiting = waitForTurn(asked.id, 20, signal);
    await decideApproval(approverActor(stage), (await onlyApproval(asked.id)).id, { decision: "approve", comment: "" });
    expect(statuses(await waiting)).toEqual(["succeeded"]);
    expect(stage.log).toContain("change approved after the restore");
    const { stream } = await readArtifact(authorize(stage.built.agentKey, "turns:read"), filled.artifact.id);
    expect(await new Response(stream).text()).toBe("the bytes of an artifact");
    expect(await new Response((await blobs().read(filled.kept)).stream).text()).toBe("the content before a change");
    expect((await listAuditEvents(authorize(stage.built.admin, "audit:read"), { limit: 5 })).items.length).toBe(5);
    const [provider] = await db().select().from(modelProviders);
    expect(unseal(provider?.keySealed ?? "")).toBe("sk-1234567890abcdef");
    expect(await db().$count(turns)).toBeGreaterThanOrEqual(2);
    expect(await db().$count(auditEvents)).toBeGreaterThan(tables.find(({ name }) => name === "audit_events")?.rows ?? 0);
  } finally {
    await stop();
  }

  const root = places.HANDRAIL_WORKSPACE_ROOT;
  expect(readFileSync(path.join(root, "f/deep/tool.sh"), "utf8")).toBe("#!/bin/sh\necho hello\n");
  expect(statSync(path.join(root, "f/deep/tool.sh")).mode & 0o777).toBe(0o750);
  expect(statSync(path.join(root, "f/deep")).mode & 0o777).toBe(0o500);
  expect(readlinkSync(path.join(root, "f/link"))).toBe("/etc/hostname");
  expect(readdirSync(path.join(root, "f"), { encoding: "buffer" }).some((name) => name.equals(Buffer.from([0xff, 0xfe])))).toBe(true);
  expect(readFileSync(path.join(places.HANDRAIL_DATA_DIR, "mcp/server/memory.json"), "utf8")).toBe("{}");
  expect(readdirSync(root)).toEqual(["f"]);

  await expect(restoreTo(places)).rejects.toThrow(`${root} is not empty (f): move its content away`);
});

test("a database with rows is refused, and keeps them", async () => {
  const places = await newPlaces();
  await restoreTo(places);
  const others = { ...(await newPlaces()), DATABASE_URL: places.DATABASE_URL };
  await expect(restoreTo(others)).rejects.toThrow(/The database is not empty \(\w+ has rows\).*name an empty database in DATABASE_URL/);
  expect(await db().$count(turns)).toBeGreaterThan(0);
});

/** Restores a changed copy of the backup and expects that nothing is there afterwards. */
async function refuses(sentence: RegExp, change: (folder: string) => void) {
  const copy = path.join(temporaryFolder(), "copy");
  cpSync(backup, copy, { recursive: true });
  change(copy);
  const places = await newPlaces();
  await expect(restoreTo(places, copy)).rejects.toThrow(sentence);
  const filledTables = await query(places.DATABASE_URL, async (sql) => {
    const names: string[] = [];
    for (const { schema, name } of await readTables(sql)) {
      const [row] = await sql`select exists (select from ${sql(schema)}.${sql(name)}) as filled`;
      if (row?.filled) names.push(name);
    }
    return names;
  });
  expect(filledTables).toEqual([]);
  const root = places.HANDRAIL_WORKSPACE_ROOT;
  expect(existsSync(root) ? readdirSync(root) : []).toEqual([]);
}

const flip = (file: string) => {
  const bytes = readFileSync(file);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
};

const contentOf = (folder: string, text: string) => {
  const files = readdirSync(path.join(folder, "contents"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const found = files.map((entry) => path.join(entry.parentPath, entry.name)).find((file) => readFileSync(file, "utf8").includes(text));
  if (!found) throw new Error(`no content ${text}`);
  return found;
};

test.each<[string, RegExp, (folder: string) => void]>([
  ["a changed table", /public\.turns\.gz is damaged/, (folder) => flip(path.join(folder, "database/public.turns.gz"))],
  [
    "a table that was cut off",
    /public\.tool_calls\.gz is damaged/,
    (folder) => truncateSync(path.join(folder, "database/public.tool_calls.gz"), 20),
  ],
  ["a missing list", /workspaces\.gz is missing/, (folder) => rmSync(path.join(folder, "files/workspaces.gz"))],
  ["a changed file of a workspace", /contents.* is damaged/, (folder) => flip(contentOf(folder, "echo hello"))],
  ["a changed artifact", /contents.* is damaged/, (folder) => flip(contentOf(folder, "the bytes of an artifact"))],
  [
    "a changed manifest",
    /manifest\.json is damaged/,
    (folder) => {
      const file = path.join(folder, manifestFile);
      writeFileSync(file, readFileSync(file, "utf8").replace('"rows": ', '"rows": 1'));
    },
  ],
  ["a backup without its end", /is no whole backup: manifest\.json/, (folder) => rmSync(path.join(folder, manifestFile))],
])("%s is refused by name, and nothing is restored", (_, sentence, change) => refuses(sentence, change));

test("a backup of a later Handrail is refused with the version that made it", async () => {
  await refuses(/format 2.*restore it with the version that made it/, (folder) => {
    const file = path.join(folder, manifestFile);
    writeFileSync(file, readFileSync(file, "utf8").replace('"format": 1', '"format": 2'));
  });
});

test("another secret key is said", async () => {
  const { keyProof } = JSON.parse(readFileSync(path.join(backup, manifestFile), "utf8"));
  expect(keyOfBackup(keyProof)).toBe("The secret key opens the backup's secrets.");
  const present = env();
  forgetProcess();
  provideEnv({ ...present, secretKey: "another key of at least 32 characters" });
  expect(keyOfBackup(keyProof)).toMatch(/^WRONG SECRET KEY/);
  forgetProcess();
  provideEnv({ ...present, secretKey: null });
  expect(keyOfBackup(keyProof)).toMatch(/^No secret key is here/);
  beginAsNewProcess();
});

test("an interrupted backup leaves an empty folder", async () => {
  const folder = newFolder();
  const stop = new AbortController();
  const say = () => stop.abort();
  await expect(makeBackup({ url: sourceUrl, folder, migrationsFolder, signal: stop.signal, say })).rejects.toThrow(/abort/);
  expect(readdirSync(folder)).toEqual([]);
});

test("a folder that is not empty, or is itself backed up, takes no backup", async () => {
  await expect(backUp(backup)).rejects.toThrow("is not empty: name a new folder for each backup");
  await expect(backUp(path.join(env().workspaceRoot, "backup"))).rejects.toThrow("which it copies: name a folder elsewhere");
});

test("every column that names a blob is known to the backup, and no table has a sequence", async () => {
  const named = await query(
    sourceUrl,
    (sql) => sql`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and table_name not like 'audit_events_%' and (column_name ~ 'sha256|blob') order by 1`,
  );
  expect(named.map(({ name }) => name)).toEqual([
    "artifacts.sha256",
    "audit_archives.sha256",
    "file_changes.after_blob",
    "file_changes.before_blob",
    "knowledge_sources.sha256",
  ]);
  const sequences = await query(sourceUrl, (sql) => sql`select sequencename from pg_sequences where schemaname in ('public', 'pgboss')`);
  expect(sequences).toHaveLength(0);
});
