import { randomUUID } from "node:crypto";
import { agentEndpoints } from "@/contracts/agents/agents";
import { AuditEvent, auditEndpoints } from "@/contracts/audit/audit";
import { identityEndpoints } from "@/contracts/identity/identity";
import type { Caller } from "../caller";
import { expect, readProblem, test } from "../fixtures";

const newName = () => `agent-${randomUUID().slice(0, 8)}`;

/** Three changes that carry a word which nothing else carries. */
async function recordThree(admin: Caller): Promise<string> {
  const word = newName();
  for (const index of [1, 2, 3]) await admin.call(agentEndpoints.create, { body: { name: `${word}-${index}` } });
  return word;
}

test("a change stands in the audit with who made it and in which request", async ({ api }) => {
  const name = newName();
  const response = await api.admin.send(agentEndpoints.create, { body: { name } });
  const { items } = await api.viewer.call(auditEndpoints.list, { query: { query: name } });
  const { actor } = await api.admin.call(identityEndpoints.me);
  expect(items).toMatchObject([
    { event: "agent.created", actor, requestId: response.headers.get("x-request-id"), data: { name, disclosureMode: "progressive" } },
  ]);
});

test("a change that is refused leaves nothing in the audit", async ({ api }) => {
  const word = await recordThree(api.admin);
  expect(await api.admin.refusal(agentEndpoints.create, { body: { name: `${word}-1` } })).toMatchObject({ status: 409 });
  const { items } = await api.viewer.call(auditEndpoints.list, { query: { query: word } });
  expect(items).toHaveLength(3);
});

test("filters narrow, pages follow each other, newest first", async ({ api }) => {
  const word = await recordThree(api.admin);
  const names = (items: AuditEvent[]) => items.map(({ data }) => data.name);
  const first = await api.viewer.call(auditEndpoints.list, { query: { query: word, limit: 2 } });
  expect(names(first.items)).toEqual([`${word}-3`, `${word}-2`]);
  const second = await api.viewer.call(auditEndpoints.list, { query: { query: word, limit: 2, cursor: first.nextCursor ?? "" } });
  expect(names(second.items)).toEqual([`${word}-1`]);
  expect(second.nextCursor).toBeNull();

  const count = async (query: { event?: string; actor?: string; tool?: string; from?: string; to?: string }) =>
    (await api.viewer.call(auditEndpoints.list, { query: { query: word, ...query } })).items.length;
  const { actor } = await api.admin.call(identityEndpoints.me);
  expect(await count({ event: "agent.created" })).toBe(3);
  expect(await count({ event: "agent" })).toBe(3);
  expect(await count({ event: "tool" })).toBe(0);
  expect(await count({ actor: actor.id })).toBe(3);
  expect(await count({ actor: "nobody" })).toBe(0);
  expect(await count({ tool: "read_file" })).toBe(0);
  expect(await count({ from: new Date(Date.now() + 60_000).toISOString() })).toBe(0);
  expect(await count({ from: "2020-01-01T00:00:00Z", to: "2021-01-01T00:00:00Z" })).toBe(0);
});

test("a search takes no character as a wildcard and runs no SQL", async ({ api }) => {
  const word = await recordThree(api.admin);
  for (const query of [`${word}-_`, `${word}-%`, `%${word}%`, "'; drop table audit_events; --", "\\"]) {
    const { items } = await api.viewer.call(auditEndpoints.list, { query: { query, event: "agent" } });
    expect(
      items.map(({ data }) => data.name),
      query,
    ).toEqual([]);
  }
  expect((await api.viewer.call(auditEndpoints.list, { query: { query: word } })).items).toHaveLength(3);
});

test("who may read the audit may read all of it, and an agent key may not", async ({ api }) => {
  for (const who of [api.viewer, api.approver, api.admin]) await who.call(auditEndpoints.list);
  expect(await api.agent.refusal(auditEndpoints.list)).toMatchObject({ status: 403, detail: expect.stringContaining("audit:read") });
  expect(await api.agent.refusal(auditEndpoints.export, { query: { format: "csv" } })).toMatchObject({ status: 403 });
  const key = await api.withKey("audit:read");
  await key.call(auditEndpoints.list);
});

test("a wrong filter is refused where it stands", async ({ api }) => {
  const wrong: [field: string, query: string][] = [
    ["from", "from=yesterday"],
    ["to", "to=2026-01-01"],
    ["verdict", "verdict=maybe"],
    ["conversationId", "conversationId=7"],
    ["query", `query=${"x".repeat(201)}`],
    ["cursor", "cursor=bm9uc2Vuc2U"],
  ];
  for (const [field, query] of wrong) {
    const response = await api.viewer.fetch(`/api/v1/audit?${query}`);
    expect(response.status, query).toBe(422);
    expect(await readProblem(response)).toMatchObject({ code: "invalid", errors: [{ path: field }] });
  }
  const unstorable = await api.viewer.fetch("/api/v1/audit?query=%00");
  expect(unstorable.status).toBe(422);
  await readProblem(unstorable);
  for (const query of ["", "?format=xml"]) expect((await api.viewer.fetch(`/api/v1/audit/export${query}`)).status, query).toBe(422);
});

test("nobody can add to the audit, change it or delete from it", async ({ api }) => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const response = await api.admin.fetch("/api/v1/audit", { method });
    expect([404, 405], `${method}: ${response.status}`).toContain(response.status);
  }
});

test("an export is a download with every event of the filter, as CSV and as NDJSON", async ({ api }) => {
  const word = await recordThree(api.admin);
  const csv = await api.viewer.send(auditEndpoints.export, { query: { format: "csv", query: word } });
  expect(csv.status).toBe(200);
  expect(csv.headers.get("content-type")).toContain("text/csv");
  expect(csv.headers.get("content-disposition")).toMatch(/^attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"$/);
  const lines = (await csv.text()).trimEnd().split("\r\n");
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/^id,at,event,/);
  expect(lines[1]).toContain(`${word}-3`);

  const ndjson = await api.viewer.send(auditEndpoints.export, { query: { format: "ndjson", query: word } });
  expect(ndjson.headers.get("content-type")).toContain("application/x-ndjson");
  expect(ndjson.headers.get("content-disposition")).toContain(".ndjson");
  const events = (await ndjson.text())
    .trimEnd()
    .split("\n")
    .map((line) => AuditEvent.parse(JSON.parse(line)));
  const { items } = await api.viewer.call(auditEndpoints.list, { query: { query: word } });
  expect(events).toEqual(items);
});

test("an API key and a password never stand in the audit", async ({ api }) => {
  const { key } = await api.admin.call(identityEndpoints.createApiKey, { body: { name: newName(), scopes: ["tools:read"] } });
  const password = `${randomUUID()}-secret`;
  const email = `${randomUUID()}@example.com`;
  await api.admin.call(identityEndpoints.createUser, { body: { email, name: "Somebody", role: "viewer", password } });
  const text = await (await api.viewer.send(auditEndpoints.export, { query: { format: "ndjson" } })).text();
  expect(text).toContain(email);
  expect(text).not.toContain(key);
  expect(text).not.toContain(password);
});
