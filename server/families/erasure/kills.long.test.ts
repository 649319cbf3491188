import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { and, eq, sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { artifacts, auditArchives, auditEvents, auditSettings, contacts, conversations, todoItems } from "@/db/schema";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, type BuiltWorkspace, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { useManualQueue } from "@/server/testing/manual-queue";
import { placesOfText } from "@/server/testing/places-of-text";
import { checkedAudit, sealAll, verifiedAudit } from "@/server/testing/seal-all";
import { useTestDatabase } from "@/server/testing/test-database";
import { getErasure, startErasure } from "./erasures";

useTestDatabase();
vi.setConfig({ testTimeout: 300_000 });

const kills = 8;
const secret = "quokka-7Q2";
const program = path.resolve(import.meta.dirname, "../../testing/processes/killed-work.ts");

let built: BuiltWorkspace;
beforeEach(async () => {
  useManualQueue();
  built = await buildWorkspace();
});

const reader = () => authorize(built.viewer, "audit:read");
const rows = () =>
  db().$count(auditEvents, and(eq(auditEvents.workspaceId, built.workspace.id), sql`${auditEvents.event} not like 'audit.%'`));

/** Starts the work in a process of its own and kills it after some milliseconds. @returns whether it had finished before */
async function workUntilKilled(work: readonly string[], afterMs: number): Promise<boolean> {
  const args = ["--conditions=react-server", "--import", "tsx", program, ...work];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], env: process.env });
  let said = "";
  const ended = once(child, "exit");
  for await (const chunk of child.stdout) {
    const before = said;
    said += String(chunk);
    if (said.includes("ready") && !before.includes("ready")) setTimeout(() => child.kill("SIGKILL"), afterMs);
  }
  await ended;
  expect(said).toContain("ready");
  return said.includes("finished");
}

const sound = { ok: true, brokenAt: null };
/** Rows that no seal covered in time because each start was killed, which the verification tells as such. */
const late = { ok: false, brokenAt: { kind: "seal", sentence: expect.stringContaining("of more than a minute ago") } };

/** Kills the work again and again at other moments, and looks after each kill whether the audit verifies. */
async function killAgainAndAgain(work: readonly string[], { mayBeLate = false } = {}): Promise<number> {
  let killed = 0;
  for (let kill = 0; kill < kills; kill++) {
    if (!(await workUntilKilled(work, 15 + kill * 45))) killed += 1;
    const found = await checkedAudit(reader());
    expect(found).toMatchObject(mayBeLate && found?.ok === false ? late : sound);
  }
  return killed;
}

const addRows = (count: number, daysAgo: number, more: { conversationId?: string; actorId?: string } = {}) =>
  db().execute(sql`
    insert into audit_events (id, at, workspace_id, event, actor_type, actor_id, actor_name, subject, conversation_id, data, moved_at)
    select gen_random_uuid(), now() - make_interval(days => ${daysAgo}::int), ${built.workspace.id}::uuid, 'call.succeeded', 'contact',
      ${more.actorId ?? "nobody"}, ${more.actorId ? "Wilhelmina" : "Nobody"}, null, ${more.conversationId ?? null}::uuid, jsonb_build_object('text', ${more.actorId ? `${secret} ` : "row "} || n), now()
    from generate_series(1, ${count}::int) n`);

test("sealing that is killed again and again leaves no row without a seal and none with two", async () => {
  await addRows(40_000, 0);
  expect(await killAgainAndAgain(["seal"], { mayBeLate: true })).toBeGreaterThan(0);
  const whole = await verifiedAudit(reader());
  expect(whole).toMatchObject({ ok: true, rows: await rows(), unsealed: 0 });
});

test("a retention that is killed again and again removes what its records say, and the rest verifies", async () => {
  await addRows(30_000, 100);
  await addRows(500, 1);
  await sealAll(built.workspace.id);
  await db().insert(auditSettings).values({ workspaceId: built.workspace.id, callDays: 30 });
  expect(await killAgainAndAgain(["retain"])).toBeGreaterThan(0);
  await workUntilKilled(["retain"], 60_000);
  expect(await rows()).toBe(500);
  expect(await verifiedAudit(reader())).toMatchObject({ ok: true, removed: 30_000 });
});

test("archiving that is killed again and again leaves each row in the table or in one file", async () => {
  await addRows(30_000, 100);
  await addRows(500, 1);
  await sealAll(built.workspace.id);
  await db().insert(auditSettings).values({ workspaceId: built.workspace.id, archiveMonths: 1 });
  const archives = () => db().select().from(auditArchives).where(eq(auditArchives.workspaceId, built.workspace.id));
  expect(await killAgainAndAgain(["archive"])).toBeGreaterThan(0);
  await workUntilKilled(["archive"], 120_000);
  expect(await rows()).toBe(500);
  const files = await archives();
  expect(files.reduce((sum, file) => sum + file.rows, 0)).toBe(30_000);
  expect(files.filter(({ unusedSince }) => unusedSince !== null)).toEqual([]);
  const whole = await verifiedAudit(reader());
  expect(whole).toMatchObject({ ok: true, removed: 0 });
  expect(whole?.rows).toBeGreaterThanOrEqual(30_500);
});

test("an erasure that is killed again and again leaves nothing of the person, and no count changes", async () => {
  const { workspace, agent, admin } = built;
  const id = newId();
  await db().insert(contacts).values({ id, workspaceId: workspace.id, name: "Wilhelmina", notes: secret, reachableIds: [] });
  const by = { type: "contact" as const, id, name: "Wilhelmina" };
  for (let made = 0; made < 40; made++) {
    const conversation = await buildConversation(admin, { agentId: agent.id, createdBy: by, metadata: { text: secret } });
    const { sha256 } = await blobs().put(Buffer.from(`${secret} ${made}`));
    const common = { workspaceId: workspace.id, conversationId: conversation.id };
    await db()
      .insert(artifacts)
      .values({ ...common, name: secret, mediaType: "text/plain", sha256, bytes: 9 });
    await db()
      .insert(todoItems)
      .values({ ...common, content: secret, people: [], createdBy: by });
    await addRows(150, 1, { conversationId: conversation.id, actorId: id });
  }
  await sealAll(workspace.id);
  const { id: erasureId } = await startErasure(authorize(admin, "people:erase"), { kind: "contact", personId: id, confirm: "Wilhelmina" });
  const before = await rows();
  await sealAll(workspace.id);
  expect(await killAgainAndAgain(["erase", erasureId])).toBeGreaterThan(3);
  for (let tries = 0; tries < 20 && !(await workUntilKilled(["erase", erasureId], 60_000)); tries++) await sealAll(workspace.id);
  expect(await placesOfText(reader(), [secret, "Wilhelmina"])).toEqual([]);
  expect(await db().$count(conversations, eq(conversations.workspaceId, workspace.id))).toBe(0);
  expect(await rows()).toBeGreaterThanOrEqual(before);
  const { auditEvents: erased } = await getErasure(authorize(admin, "people:erase"), erasureId);
  expect(erased).toBeGreaterThanOrEqual(40 * 150);
  expect(await verifiedAudit(reader())).toMatchObject({ ok: true, erased });
});
