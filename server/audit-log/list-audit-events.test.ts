import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEndpoints } from "@/contracts/audit/audit";
import { auditEvents } from "@/db/schema";
import { type AuditEntry, record } from "@/server/audit/record";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { listAuditEvents } from "./list-audit-events";

useTestDatabase();

/** Creates a workspace and records the given events in it, by its admin unless an entry names another actor. */
async function auditOf(...entries: Partial<AuditEntry>[]) {
  const { workspace, admin, viewer } = await buildWorkspace();
  const reader = authorize(viewer, "audit:read");
  for (const entry of entries) {
    await record(db(), { workspaceId: workspace.id, event: "tool.updated", actor: admin, ...entry });
  }
  const subjects = async (filter: Parameters<typeof listAuditEvents>[1]) =>
    (await listAuditEvents(reader, filter)).items.map(({ subject }) => subject).sort();
  return { workspace, admin, reader, subjects };
}

test("the newest event comes first and says who did what", async () => {
  const conversationId = newId();
  const { admin, reader } = await auditOf(
    { subject: "first" },
    {
      event: "call.denied",
      subject: "second",
      tool: "shell_execute",
      verdict: "deny",
      conversationId,
      requestId: "r-1",
      data: { command: "ls" },
    },
  );
  const { items, nextCursor } = await listAuditEvents(reader, {});
  expect(nextCursor).toBeNull();
  expect(items.map(({ subject }) => subject)).toEqual(["second", "first"]);
  expect(items[0]).toEqual({
    id: expect.any(String),
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    event: "call.denied",
    actor: { type: "user", id: admin.id, name: admin.name },
    subject: "second",
    subjectName: null,
    tool: "shell_execute",
    agent: null,
    source: null,
    verdict: "deny",
    conversationId,
    turnId: null,
    callId: null,
    data: { command: "ls" },
    requestId: "r-1",
  });
});

test("nobody sees the audit of another workspace", async () => {
  await auditOf({ subject: "theirs" });
  const { subjects } = await auditOf({ subject: "ours" });
  expect(await subjects({})).toEqual(["ours"]);
});

test("pages follow each other without a gap or a repetition, even when all events share one moment", async () => {
  const { workspace, admin, reader } = await auditOf();
  const at = new Date("2026-01-02T03:04:05.678Z");
  const rows = Array.from({ length: 7 }, (_, index) => ({
    at,
    workspaceId: workspace.id,
    event: "tool.updated" as const,
    actorType: "user" as const,
    actorId: admin.id,
    actorName: admin.name,
    subject: `event ${index}`,
  }));
  await db().insert(auditEvents).values(rows);

  const seen: (string | null)[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await listAuditEvents(reader, { limit: 3, ...(cursor ? { cursor } : {}) });
    seen.push(...page.items.map(({ subject }) => subject));
    cursor = page.nextCursor ?? undefined;
    pages += 1;
  } while (cursor);
  expect(pages).toBe(3);
  expect(seen.toSorted()).toEqual(rows.map(({ subject }) => subject));
});

test("events recorded while somebody pages do not shift what the next page shows", async () => {
  const { workspace, admin, reader } = await auditOf({ subject: "1" }, { subject: "2" }, { subject: "3" });
  const { nextCursor, items } = await listAuditEvents(reader, { limit: 2 });
  expect(items.map(({ subject }) => subject)).toEqual(["3", "2"]);
  await record(db(), { workspaceId: workspace.id, event: "tool.updated", actor: admin, subject: "4" });
  const next = await listAuditEvents(reader, { limit: 2, cursor: nextCursor ?? "" });
  expect(next.items.map(({ subject }) => subject)).toEqual(["1"]);
});

test("a cursor that somebody made up is refused with a sentence", async () => {
  const { reader } = await auditOf();
  const forged = Buffer.from('["yesterday","1"]').toString("base64url");
  await expect(listAuditEvents(reader, { cursor: forged })).rejects.toMatchObject({ code: "invalid" });
});

test("each filter narrows the list to what it names", async () => {
  const conversationId = newId();
  const { subjects, admin } = await auditOf(
    { subject: "a", event: "tool.updated" },
    { subject: "b", event: "approval.approved", verdict: "allow" },
    { subject: "c", event: "approval.rejected", tool: "shell_execute" },
    { subject: "d", event: "call.denied", verdict: "deny", conversationId },
    { subject: "e", event: "call.failed", actor: { type: "system", id: "handrail", name: "Handrail" } },
  );
  expect(await subjects({ event: "approval.approved" })).toEqual(["b"]);
  expect(await subjects({ event: "approval" })).toEqual(["b", "c"]);
  expect(await subjects({ event: "%" })).toEqual([]);
  expect(await subjects({ tool: "shell_execute" })).toEqual(["c"]);
  expect(await subjects({ verdict: "deny" })).toEqual(["d"]);
  expect(await subjects({ conversationId })).toEqual(["d"]);
  expect(await subjects({ actor: "handrail" })).toEqual(["e"]);
  expect(await subjects({ actor: admin.id })).toEqual(["a", "b", "c", "d"]);
  expect(await subjects({ actor: admin.name, event: "call" })).toEqual(["d"]);
});

test("agent and source of a call can be asked for", async () => {
  const { subjects } = await auditOf(
    { subject: "a", event: "call.succeeded", agent: "Support", source: "builtin" },
    { subject: "b", event: "call.succeeded", agent: "Deployer", source: "mcp:files" },
    { subject: "c", event: "tool.updated" },
  );
  expect(await subjects({ agent: "support" })).toEqual(["a"]);
  expect(await subjects({ source: "mcp:files" })).toEqual(["b"]);
});

test("a search that reads too much is ended with a sentence, and the next one works", async () => {
  const { workspace, reader, subjects } = await auditOf({ subject: "a" });
  await db().execute(
    sql`insert into audit_events (id, at, workspace_id, event, actor_type, actor_id, actor_name, data)
        select gen_random_uuid(), now() - interval '1 hour', ${workspace.id}, 'call.succeeded', 'system', 'x', 'x', jsonb_build_object('text', repeat(n::text, 200))
        from generate_series(1, 20000) as n`,
  );
  const search = listAuditEvents(reader, { query: "found nowhere" }, { withinMs: 1 });
  await expect(search).rejects.toMatchObject({ code: "timed_out", message: expect.stringContaining("Narrow it with `from` and `to`") });
  expect(await subjects({ event: "tool.updated" })).toEqual(["a"]);
});

test("an event that a newer replica wrote is a row like the others", async () => {
  const { workspace, reader } = await auditOf({ subject: "known" });
  await db().execute(
    sql`insert into audit_events (id, workspace_id, event, actor_type, actor_id, actor_name, subject)
        values (gen_random_uuid(), ${workspace.id}, 'rocket.launched', 'system', 'x', 'x', 'newer')`,
  );
  const answer = auditEndpoints.list.response.parse(await listAuditEvents(reader, {}));
  expect(answer.items.map(({ event }) => event)).toEqual(["rocket.launched", "tool.updated"]);
});

test("a time window begins with its first moment and ends before its last", async () => {
  const { workspace, admin, subjects } = await auditOf();
  const times = ["2026-03-01T00:00:00.000Z", "2026-03-01T12:00:00.000Z", "2026-03-02T00:00:00.000Z"];
  await db()
    .insert(auditEvents)
    .values(
      times.map((time) => ({
        at: new Date(time),
        workspaceId: workspace.id,
        event: "tool.updated" as const,
        actorType: "user" as const,
        actorId: admin.id,
        actorName: admin.name,
        subject: time,
      })),
    );
  expect(await subjects({ from: times[0], to: times[2] })).toEqual(times.slice(0, 2));
  expect(await subjects({ from: "0000-01-01T00:00:00Z", to: "9999-12-31T23:59:59Z" })).toEqual(times);
});

test("the search finds every one of its words in the subject or the data, and takes no character as a wildcard", async () => {
  const { subjects } = await auditOf(
    { subject: "percent", data: { text: "100% sure" } },
    { subject: "hundred", data: { text: "1000 sure" } },
    { subject: "quoted", data: { command: 'echo "hello" \\n' } },
    { subject: "snake_case", data: {} },
    { subject: "snakeXcase", data: { übung: "Größe" } },
  );
  expect(await subjects({ query: "100%" })).toEqual(["percent"]);
  expect(await subjects({ query: "sure 1000" })).toEqual(["hundred"]);
  expect(await subjects({ query: '"hello"' })).toEqual(["quoted"]);
  expect(await subjects({ query: "\\n" })).toEqual(["quoted"]);
  expect(await subjects({ query: "SNAKE_CASE" })).toEqual(["snake_case"]);
  expect(await subjects({ query: "größe" })).toEqual(["snakeXcase"]);
  expect(await subjects({ query: "'; drop table audit_events; --" })).toEqual([]);
  expect(await subjects({ query: "   " })).toHaveLength(5);
});

test("an event says what its subject is called today, to who may read it, and nothing of another workspace", async () => {
  const { workspace, admin, viewer, agent } = await buildWorkspace();
  const other = await buildWorkspace();
  const titled = { agentId: agent.id, metadata: { title: "Invoices" } };
  const [ours, untitled] = [await buildConversation(admin, titled), await buildConversation(admin, { agentId: agent.id })];
  const theirs = await buildConversation(other.admin, { agentId: other.agent.id, metadata: { title: "Theirs" } });
  const entry = { workspaceId: workspace.id, actor: admin, event: "conversation.created" as const };
  const [one, two, three, four] = [ours.id, untitled.id, theirs.id, agent.id];
  await record(db(), { ...entry, subject: one }, { ...entry, subject: two }, { ...entry, subject: three });
  await record(db(), { ...entry, event: "agent.updated", subject: four }, { ...entry, event: "agent.removed", subject: newId() });
  const namesFor = async (reader: typeof viewer) => {
    const { items } = await listAuditEvents(authorize(reader, "audit:read"), {});
    return new Map(items.map(({ subject, subjectName }) => [subject, subjectName]));
  };
  const names = await namesFor(viewer);
  expect([one, two, three, four].map((id) => names.get(id))).toEqual(["Invoices", null, null, agent.name]);
  expect([...names.values()].filter((name) => name !== null)).toHaveLength(2);
  const blind = await namesFor({ ...viewer, permissions: new Set(["audit:read"]) });
  expect(blind.get(one), "a title is words of a conversation").toBeNull();
});
