import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { record } from "@/server/audit/record";
import { db, postgresPool } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { authorize, type BuiltWorkspace, buildWorkspace } from "@/server/testing/builders";
import { sealAll } from "@/server/testing/seal-all";
import { useTestDatabase } from "@/server/testing/test-database";
import { archiveOldAudit } from "./archive/archive-old-audit";
import { checkpointFile, makeDueCheckpoints } from "./checkpoints";
import { sealedLines } from "./sealed-export";

useTestDatabase();

const folder = mkdtempSync(path.join(tmpdir(), "audit-verify-"));
let built: BuiltWorkspace;

const write = async (...subjects: string[]) => {
  const data = { note: 'tab\there, "quoted" \\ é ☃ \u0001', n: 1e21, nested: { b: [1, null], a: true } };
  for (const subject of subjects) {
    await record(db(), { workspaceId: built.workspace.id, event: "tool.updated", actor: built.admin, subject, data });
  }
  await sealAll(built.workspace.id);
};

beforeAll(async () => {
  built = await buildWorkspace();
  await write("first", "second\nwith a line");
  await makeDueCheckpoints();
  await write("third");
});

/** Runs the script as somebody does who has neither the server nor its packages. */
function verify(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.resolve("scripts/audit-verify.ts"), ...args], {
    encoding: "utf8",
    cwd: folder,
    env: { ...process.env, DATABASE_URL: "", HANDRAIL_SECRET_KEY: "" },
  });
  return { status, said: `${stdout}${stderr}` };
}

async function exported(): Promise<string> {
  let lines = "";
  for await (const line of sealedLines(authorize(built.viewer, "audit:read"))) lines += line;
  return lines;
}

function file(name: string, content: string): string {
  const place = path.join(folder, name);
  writeFileSync(place, content);
  return place;
}

/** The audit's part of a plain dump, as pg_dump writes it. */
async function dumped(): Promise<string> {
  const parts = await Promise.all(
    ["audit_archives", "audit_events_default", "audit_seals"].map(async (table) => {
      const columns = await db().execute<{ name: string }>(
        sql`select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`,
      );
      const names = columns.map(({ name }) => name).join(", ");
      const rows = await text(await postgresPool().unsafe(`copy public.${table} (${names}) to stdout`).readable());
      return `--\n-- Data for ${table}\n--\n\nCOPY public.${table} (${names}) FROM stdin;\n${rows}\\.\n\n`;
    }),
  );
  return parts.join("");
}

test("an export is found whole by the script alone, and a changed, a missing and an exchanged row are named", async () => {
  const lines = await exported();
  expect(verify(file("whole.ndjson", lines))).toMatchObject({ status: 0, said: expect.stringContaining("whole. 3 rows under") });
  const [id] = await db().execute<{ id: string }>(sql`select id from audit_events where subject = 'third'`);
  const changed = verify(file("changed.ndjson", lines.replace("third", "fourth")));
  expect(changed).toMatchObject({ status: 1, said: expect.stringContaining(`Row ${id?.id} was changed. Place 3`) });
  const [first, ...rest] = lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const withRows = (rows: unknown[]) => [{ ...first, rows }, ...rest].map((line) => `${JSON.stringify(line)}\n`).join("");
  expect(verify(file("removed.ndjson", withRows(first.rows.slice(1))))).toMatchObject({
    status: 1,
    said: expect.stringContaining(`${first.rows[0].id} was removed. Place 1`),
  });
  const seals = lines.trim().split("\n");
  expect(verify(file("cut.ndjson", `${seals.slice(1).join("\n")}\n`))).toMatchObject({
    status: 1,
    said: expect.stringContaining("the seals before it were removed"),
  });
});

test("a dump of the database is found whole by the script alone, and a changed row in it is named", async () => {
  const dump = await dumped();
  expect(verify(file("whole.sql", dump))).toMatchObject({ status: 0, said: expect.stringContaining("whole. 3 rows under") });
  expect(verify(file("changed.sql", dump.replace("third", "fourth")))).toMatchObject({
    status: 1,
    said: expect.stringContaining("was changed. Place 3"),
  });
  const [row] = dump.split("\n").filter((line) => line.includes("\tfirst\t"));
  expect(verify(file("removed.sql", dump.replace(`${row}\n`, "")))).toMatchObject({
    status: 1,
    said: expect.stringContaining("was removed. Place 1"),
  });
});

test("a dump with archived months is whole with their files, and incomplete without them", async () => {
  await db().execute(sql`insert into audit_settings (workspace_id, archive_months) values (${built.workspace.id}, 1)`);
  await record(db(), { workspaceId: built.workspace.id, event: "tool.updated", actor: built.admin, subject: "archived", data: {} });
  await db().transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = 'replica'`);
    await tx.execute(sql`update audit_events set at = now() - interval '100 days', moved_at = now() where subject = 'archived'`);
  });
  await sealAll(built.workspace.id);
  await archiveOldAudit();
  const dump = file("archived.sql", await dumped());
  const { blobs } = env();
  const place = blobs.kind === "folder" ? blobs.folder : "";
  expect(verify(dump, "--archives", place)).toMatchObject({ status: 0, said: expect.stringContaining("whole") });
  expect(verify(dump)).toMatchObject({ status: 2, said: expect.stringContaining("INCOMPLETE") });
  expect(verify(dump).said).toContain("1 archived rows were not checked: name the folder of the blob store with --archives.");
});

test("a checkpoint kept elsewhere and the key show an audit that was cut off or made anew", async () => {
  const lines = await exported();
  const whole = file("kept.ndjson", lines);
  expect(verify(whole, "--checkpoints", checkpointFile()).status).toBe(0);
  const items = readFileSync(checkpointFile(), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const answer = JSON.stringify({ items, nextCursor: null }, null, 1);
  expect(verify(whole, "--checkpoints", file("answer.json", answer)).status, "as the API answers them").toBe(0);
  const anew = readFileSync(checkpointFile(), "utf8").replace(/"hash":"[0-9a-f]{4}/, '"hash":"0000');
  expect(verify(whole, "--checkpoints", file("other.ndjson", anew))).toMatchObject({
    status: 1,
    said: expect.stringContaining("the audit was rewritten"),
  });
  const later = anew.replace(/\\"number\\":\d+/, '\\"number\\":99');
  expect(verify(whole, "--checkpoints", file("later.ndjson", later))).toMatchObject({
    status: 1,
    said: expect.stringContaining("the end of the audit was cut off"),
  });
  const { publicKey } = JSON.parse(lines.split("\n")[0] ?? "");
  expect(verify(whole, "--key", publicKey).status).toBe(0);
  expect(verify(whole, "--key", Buffer.alloc(32).toString("base64"))).toMatchObject({
    status: 1,
    said: expect.stringContaining("not the key that you named"),
  });
});

test("a file that is no audit is no whole one", () => {
  expect(verify(file("other.txt", "hello\n"))).toMatchObject({ status: 1, said: expect.stringContaining("There is no audit in it.") });
  expect(verify(path.join(folder, "nowhere"))).toMatchObject({ status: 2 });
});
