import { randomUUID } from "node:crypto";
import { agentEndpoints } from "@/contracts/agents/agents";
import { auditEndpoints } from "@/contracts/audit/audit";
import { toolEndpoints } from "@/contracts/tools/tools";
import type { Caller } from "../caller";
import { expect, readProblem, test } from "../fixtures";

const newName = () => `agent-${randomUUID().slice(0, 8)}`;
const create = (who: Caller, body: { name: string; description?: string } = { name: newName() }) =>
  who.call(agentEndpoints.create, { body });

test("an agent is created, read, changed and removed, and each step stands in the audit", async ({ api }) => {
  const name = newName();
  const created = await create(api.admin, { name, description: "Looks around" });
  expect(await api.viewer.call(agentEndpoints.get, { params: { id: created.id } })).toEqual(created);
  const { items } = await api.viewer.call(agentEndpoints.list, { query: { limit: 200 } });
  expect(items[0]).toMatchObject({ isDefault: true });
  expect(items).toContainEqual(created);

  const params = { id: created.id };
  const changed = await api.admin.call(agentEndpoints.update, { params, body: { name, disclosureMode: "legacy" } });
  expect(changed).toMatchObject({ description: "", disclosureMode: "legacy", version: created.version + 1 });

  expect(await api.admin.call(agentEndpoints.remove, { params })).toEqual({});
  expect(await api.admin.refusal(agentEndpoints.get, { params })).toMatchObject({ status: 404 });
  expect(await api.admin.refusal(agentEndpoints.remove, { params })).toMatchObject({ status: 404 });

  const audit = await api.viewer.call(auditEndpoints.list, { query: { event: "agent", query: name } });
  expect(audit.items.map(({ event }) => event)).toEqual(["agent.removed", "agent.updated", "agent.created"]);
});

test("creating an agent answers 201 and its etag", async ({ api }) => {
  const response = await api.admin.send(agentEndpoints.create, { body: { name: newName() } });
  expect(response.status).toBe(201);
  expect(response.headers.get("etag")).toBe('"1"');
});

test("two admins never overwrite each other silently", async ({ api }) => {
  const agent = await create(api.admin);
  const params = { id: agent.id };
  const ifMatch = { headers: { "if-match": `"${agent.version}"` } };
  const change = (description: string) =>
    api.admin.send(agentEndpoints.update, { params, body: { name: agent.name, description } }, ifMatch);

  const answers = await Promise.all([change("left"), change("right")]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  for (const answer of answers.filter(({ status }) => status === 412))
    expect(await readProblem(answer)).toMatchObject({ code: "stale_version" });

  expect(await api.admin.refusal(agentEndpoints.setTools, { params, body: { tools: [] } }, ifMatch)).toMatchObject({ status: 412 });
  expect(await api.admin.refusal(agentEndpoints.remove, { params }, ifMatch)).toMatchObject({ status: 412 });
  const unreadable = { headers: { "if-match": "yesterday" } };
  expect(await api.admin.refusal(agentEndpoints.remove, { params }, unreadable)).toMatchObject({ status: 400, code: "malformed" });
  expect(await api.admin.call(agentEndpoints.get, { params })).toMatchObject({ version: agent.version + 1 });
});

test("a name can be had once, whoever asks first", async ({ api }) => {
  const name = newName();
  const both = await Promise.all([1, 2].map(() => api.admin.send(agentEndpoints.create, { body: { name } })));
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  const other = await create(api.admin);
  const refusal = await api.admin.refusal(agentEndpoints.update, { params: { id: other.id }, body: { name } });
  expect(refusal).toMatchObject({ status: 409, code: "conflict", detail: expect.stringContaining(name) });
});

test("what an agent cannot be called or be given is refused where it stands", async ({ api }) => {
  const wrong: [field: string, body: Record<string, unknown>][] = [
    ["name", { name: "Has Spaces" }],
    ["name", { name: "" }],
    ["name", { name: "x".repeat(65) }],
    ["name", { name: 7 }],
    ["name", {}],
    ["description", { name: newName(), description: "x".repeat(1_001) }],
    ["disclosureMode", { name: newName(), disclosureMode: "everything" }],
    ["sharedFolder", { name: newName(), sharedFolder: "../elsewhere" }],
    ["sharedFolder", { name: newName(), sharedFolder: "/etc" }],
    ["sharedFolder", { name: newName(), sharedFolder: ".." }],
  ];
  for (const [field, body] of wrong) {
    const response = await api.admin.fetch("/api/v1/agents", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status, JSON.stringify(body)).toBe(422);
    expect(await readProblem(response)).toMatchObject({ errors: [{ path: field }] });
  }
});

test("a text that the database cannot hold is the caller's mistake and not ours", async ({ api }) => {
  const response = await api.admin.send(agentEndpoints.create, { body: { name: newName(), description: "a\u0000b" } });
  expect(response.status).toBe(422);
  expect(await readProblem(response)).toMatchObject({ code: "invalid" });
});

test("the default agent stays", async ({ api }) => {
  const { items } = await api.viewer.call(agentEndpoints.list);
  const standard = items.find(({ isDefault }) => isDefault);
  expect(await api.admin.refusal(agentEndpoints.remove, { params: { id: standard?.id ?? "" } })).toMatchObject({
    status: 409,
    code: "conflict",
  });
});

test("tools are ticked by name, twice is once, and a name of no tool is refused", async ({ api }) => {
  const { id } = await create(api.admin);
  const params = { id };
  const known = (await api.viewer.call(toolEndpoints.list)).items.map(({ name }) => name).slice(0, 2);
  expect(await api.viewer.call(agentEndpoints.getTools, { params })).toMatchObject({ tools: [] });

  const body = { tools: [...known, ...known] };
  expect((await api.admin.call(agentEndpoints.setTools, { params, body })).tools).toEqual(known.toSorted());
  expect((await api.viewer.call(agentEndpoints.getTools, { params })).tools).toEqual(known.toSorted());

  const refusal = await api.admin.refusal(agentEndpoints.setTools, { params, body: { tools: [...known, "no_such_tool"] } });
  expect(refusal).toMatchObject({ status: 422, errors: [{ path: "tools.2", message: expect.stringContaining("no_such_tool") }] });
  expect((await api.viewer.call(agentEndpoints.getTools, { params })).tools).toEqual(known.toSorted());
});

test("an agent key, an approver and a viewer may look at agents and not change them", async ({ api }) => {
  const { id } = await create(api.admin);
  for (const who of [api.agent, api.approver, api.viewer]) {
    expect(await who.call(agentEndpoints.get, { params: { id } })).toMatchObject({ id });
    expect(await who.refusal(agentEndpoints.create, { body: { name: newName() } })).toMatchObject({ status: 403 });
    expect(await who.refusal(agentEndpoints.update, { params: { id }, body: { name: newName() } })).toMatchObject({ status: 403 });
    expect(await who.refusal(agentEndpoints.setTools, { params: { id }, body: { tools: [] } })).toMatchObject({ status: 403 });
    expect(await who.refusal(agentEndpoints.remove, { params: { id } })).toMatchObject({ status: 403 });
  }
});

test("agents are listed page by page, each once", async ({ api }) => {
  for (let index = 0; index < 3; index++) await create(api.admin);
  const seen: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await api.viewer.call(agentEndpoints.list, { query: { limit: 2, ...(cursor ? { cursor } : {}) } });
    expect(page.items.length).toBeLessThanOrEqual(2);
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor);
  expect(new Set(seen).size).toBe(seen.length);
  const whole = await api.viewer.call(agentEndpoints.list, { query: { limit: 200 } });
  expect(seen).toEqual(whole.items.map(({ id }) => id));
});
