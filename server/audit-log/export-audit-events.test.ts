import { expect, test } from "vitest";
import { AuditEvent } from "@/contracts/audit/audit";
import { auditEvents } from "@/db/schema";
import { record } from "@/server/audit/record";
import { db } from "@/server/platform/database/database";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { exportAuditEvents } from "./export-audit-events";

useTestDatabase();

const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

/** Creates a workspace with this many events, `event 0` the oldest. */
async function auditOf(count: number) {
  const { workspace, admin, viewer } = await buildWorkspace();
  const start = Date.parse("2026-01-01T00:00:00Z");
  const rows = Array.from({ length: count }, (_, index) => ({
    at: new Date(start + index),
    workspaceId: workspace.id,
    event: "tool.updated" as const,
    actorType: "user" as const,
    actorId: admin.id,
    actorName: admin.name,
    subject: `event ${index}`,
  }));
  if (count > 0) await db().insert(auditEvents).values(rows);
  return { workspace, admin, reader: authorize(viewer, "audit:read") };
}

test("an export of more events than fit a page has every one of them once, newest first", async () => {
  const { reader } = await auditOf(1_203);
  const text = await textOf(await exportAuditEvents(reader, {}, "ndjson"));
  expect(text.endsWith("\n")).toBe(true);
  const events = text
    .trimEnd()
    .split("\n")
    .map((line) => AuditEvent.parse(JSON.parse(line)));
  expect(events.map(({ subject }) => subject)).toEqual(Array.from({ length: 1_203 }, (_, index) => `event ${1_202 - index}`));
});

test("a CSV export has a line of names and a line for each event, and keeps texts from acting as formulas", async () => {
  const { workspace, admin, reader } = await auditOf(0);
  await record(db(), {
    workspaceId: workspace.id,
    event: "call.denied",
    actor: { ...admin, name: "=HYPERLINK(1)" },
    subject: '+cmd, "quoted"',
    tool: "shell_execute",
    data: { command: "ls\n-la" },
  });
  const [names, line, ...rest] = (await textOf(await exportAuditEvents(reader, {}, "csv"))).split("\r\n");
  expect(names).toBe(
    "id,at,event,actorType,actorId,actorName,subject,tool,agent,source,verdict,conversationId,turnId,callId,requestId,data,subjectName",
  );
  expect(line).toContain(`,call.denied,user,${admin.id},'=HYPERLINK(1),"'+cmd, ""quoted""",shell_execute,`);
  expect(line).toContain('"{""command"":""ls\\n-la""}"');
  expect(rest).toEqual([""]);
});

test("an export has only what its filter covers, of its own workspace", async () => {
  await auditOf(3);
  const { reader, workspace, admin } = await auditOf(3);
  await record(db(), { workspaceId: workspace.id, event: "agent.created", actor: admin, subject: "scout" });
  const text = await textOf(await exportAuditEvents(reader, { event: "agent" }, "ndjson"));
  expect(
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).subject),
  ).toEqual(["scout"]);
});

test("an empty audit exports as names without lines, and as nothing at all", async () => {
  const { reader } = await auditOf(0);
  expect(await textOf(await exportAuditEvents(reader, {}, "csv"))).toMatch(/^id,at,[^\n]*\r\n$/);
  expect(await textOf(await exportAuditEvents(reader, {}, "ndjson"))).toBe("");
});

test("an export whose taker goes away ends there", async () => {
  const { reader } = await auditOf(1_203);
  const stream = (await exportAuditEvents(reader, {}, "ndjson")).getReader();
  expect((await stream.read()).done).toBe(false);
  await stream.cancel();
  expect((await stream.read()).done).toBe(true);
});
