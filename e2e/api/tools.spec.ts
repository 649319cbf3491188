import { auditEndpoints } from "@/contracts/audit/audit";
import { callEndpoints } from "@/contracts/calls/calls";
import { conversationEndpoints, toolFormats } from "@/contracts/conversations/conversations";
import { guardEndpoints } from "@/contracts/guard/guard";
import { toolEndpoints } from "@/contracts/tools/tools";
import { turnEndpoints } from "@/contracts/turns/turns";
import { expect, readProblem, test } from "../fixtures";

test("the builtin tools are there after the first start, each with what it costs", async ({ api }) => {
  const { items } = await api.viewer.call(toolEndpoints.list, { query: { source: "builtin" } });
  expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(["enable_tool", "read_file", "shell_execute", "write_file"]));
  // Tools that are hidden until a conversation needs them cost nothing before.
  const [hidden = [], shown = []] = [true, false].map((isHidden) => items.filter(({ tokens }) => (tokens.core === 0) === isHidden));
  expect(hidden.map(({ name }) => name)).toContain("stop_task");
  expect(shown.length).toBeGreaterThan(hidden.length);
  for (const { tokens } of shown) expect(tokens.core).toBeGreaterThan(tokens.extension);
});

test("a tool moved to Extension is a line in the directory until enable_tool, in that conversation only", async ({ api }) => {
  const params = { id: "date_time" };
  await api.admin.call(toolEndpoints.setTier, { params, body: { tier: "extension" } });
  try {
    const open = async () => (await api.agent.call(conversationEndpoints.create, { body: {} })).id;
    const [here, there] = [await open(), await open()];
    const listing = (id: string) => api.agent.call(conversationEndpoints.tools, { params: { id }, query: { format: "openai" } });
    const before = await listing(here);
    expect(JSON.stringify(before.tools)).not.toContain('"date_time"');
    expect(before.directory).toContain("date_time");
    expect(before.hints).toContain("enable_tool");

    const call = async (name: string, args: Record<string, string>) => {
      const body = { calls: [{ id: "1", name, arguments: args }] };
      return (await api.agent.call(turnEndpoints.submit, { params: { id: here }, body })).calls[0];
    };
    expect(await call("date_time", {})).toMatchObject({
      status: "failed",
      content: expect.stringContaining('enable_tool with toolName "date_time"'),
    });
    expect(await call("enable_tool", { toolName: "date_time" })).toMatchObject({ content: expect.stringContaining("is now active") });
    expect(await call("enable_tool", { toolName: "nothing" })).toMatchObject({
      status: "failed",
      content: expect.stringContaining("not available"),
    });
    expect(await call("date_time", {})).toMatchObject({ status: "succeeded" });
    expect((await listing(here)).directory).not.toContain("date_time");
    expect((await listing(there)).directory).toContain("date_time");
  } finally {
    await api.admin.call(toolEndpoints.setTier, { params, body: { tier: "core" } });
  }
});

test("the listing is the same bytes for the same state, in every format", async ({ api }) => {
  const { id } = await api.agent.call(conversationEndpoints.create, { body: {} });
  for (const format of toolFormats) {
    const read = async () => (await api.agent.send(conversationEndpoints.tools, { params: { id }, query: { format } })).text();
    expect(await read()).toBe(await read());
  }
});

test("a tool that is switched off leaves the list, and a call of it says so", async ({ api }) => {
  const params = { id: "search_files" };
  await api.admin.call(toolEndpoints.update, { params, body: { enabled: false } });
  try {
    const { id } = await api.agent.call(conversationEndpoints.create, { body: {} });
    const { tools } = await api.agent.call(conversationEndpoints.tools, { params: { id }, query: { format: "handrail" } });
    expect(JSON.stringify(tools)).not.toContain('"search_files"');
    const turn = await api.agent.call(turnEndpoints.submit, { params: { id }, body: { calls: [{ id: "1", name: "search_files" }] } });
    expect(turn).toMatchObject({
      status: "completed",
      calls: [{ status: "failed", content: expect.stringContaining("tool is disabled") }],
    });
  } finally {
    await api.admin.call(toolEndpoints.update, { params, body: { enabled: true } });
  }
});

test("a tier that does not exist is refused in one sentence", async ({ api }) => {
  const refused = await api.admin.fetch("/api/v1/tools/date_time/disclosure-tier", {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tier: "secret" }),
  });
  expect(refused.status).toBe(400);
  expect(await readProblem(refused)).toMatchObject({ detail: "tier must be 'core' or 'extension'" });
});

test("what an admin changes about a tool stands in the audit", async ({ api }) => {
  await api.admin.call(toolEndpoints.update, { params: { id: "url_fetch" }, body: { timeoutMs: 20_000 } });
  const reset = await api.admin.call(toolEndpoints.update, { params: { id: "url_fetch" }, body: { timeoutMs: null } });
  expect(reset.overrides.timeoutMs).toBeNull();
  const { items } = await api.viewer.call(auditEndpoints.list, { query: { event: "tool.updated", tool: "url_fetch" } });
  expect(items.slice(0, 2).map(({ data }) => data.timeoutMs)).toEqual([null, 20_000]);
  expect(await api.viewer.refusal(toolEndpoints.update, { params: { id: "url_fetch" }, body: { enabled: false } })).toMatchObject({
    status: 403,
  });
  expect(await api.stranger.refusal(toolEndpoints.get, { params: { id: "nothing" } })).toMatchObject({ status: 404 });
});

test("a call is tried as it would be made: under any spelling of its tool and with its arguments' other names", async ({ api }) => {
  const evaluate = (tool: string, args: Record<string, string>) =>
    api.admin.call(guardEndpoints.evaluate, { body: { tool, arguments: args } });
  expect(await evaluate("shell_execute", { cmd: "rm -rf /" })).toMatchObject({ tool: "shell_execute", verdict: "deny" });
  expect(await evaluate("Bash", { command: "sudo reboot" })).toMatchObject({ tool: "shell_execute", verdict: "deny" });
  expect(await evaluate("ReadFileTool", { filePath: "a/../b.txt" })).toMatchObject({ tool: "read_file", verdict: "allow", seen: "b.txt" });
  expect(await api.admin.refusal(guardEndpoints.evaluate, { body: { tool: "nothing", arguments: {} } })).toMatchObject({ status: 404 });
});

test("tools are changed together, their use is counted, and their calls are listed, for those who may", async ({ api }) => {
  const tools = ["search_files", "enable_tool"];
  try {
    const answer = await api.admin.call(toolEndpoints.change, { body: { tools, tier: "extension" } });
    expect(answer).toEqual({
      changed: ["search_files"],
      refused: [{ tool: "enable_tool", code: "tier_locked", reason: expect.stringContaining("stays in Core") }],
    });
    for (const who of [api.agent, api.approver, api.viewer]) {
      expect(await who.refusal(toolEndpoints.change, { body: { tools, tier: "core" } })).toMatchObject({ status: 403 });
    }
    expect(await api.admin.refusal(toolEndpoints.change, { body: { tools } })).toMatchObject({ status: 422 });
    const { id } = await api.admin.call(toolEndpoints.get, { params: { id: "search_files" } });
    expect(await api.stranger.call(toolEndpoints.change, { body: { tools: [id], tier: "core" } })).toMatchObject({
      changed: [],
      refused: [{ tool: id, code: "not_found" }],
    });
  } finally {
    await api.admin.call(toolEndpoints.change, { body: { tools, tier: "core" } });
  }
  const params = { id: "date_time" };
  const before = await api.viewer.call(toolEndpoints.usage, { params });
  const { id } = await api.agent.call(conversationEndpoints.create, { body: {} });
  const timezone = "Europe/Zagreb";
  await api.agent.call(turnEndpoints.submit, {
    params: { id },
    body: { calls: [{ id: "1", name: "date_time", arguments: { timezone } }] },
  });
  expect(await api.viewer.call(toolEndpoints.usage, { params })).toMatchObject({ calls: before.calls + 1, failures: before.failures });
  const calls = await api.viewer.call(callEndpoints.list, { query: { tool: "date_time", limit: 1 } });
  expect(calls.items).toMatchObject([{ conversationId: id, agent: "default", status: "succeeded", arguments: { timezone } }]);
  const theirs = await api.stranger.call(callEndpoints.list, { query: { tool: "date_time" } });
  expect(theirs.items.filter(({ conversationId }) => conversationId === id)).toEqual([]);
});
