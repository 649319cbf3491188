import { randomBytes, randomUUID } from "node:crypto";
import { auditEndpoints } from "@/contracts/audit/audit";
import type { Problem } from "@/contracts/common";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { grantEndpoints } from "@/contracts/guard/grants";
import { toolEndpoints } from "@/contracts/tools/tools";
import { type Turn, turnEndpoints } from "@/contracts/turns/turns";
import type { Caller } from "../caller";
import { expect, test } from "../fixtures";

const open = async (agent: Caller, more: { interactive?: boolean } = {}) =>
  (await agent.call(conversationEndpoints.create, { body: { externalId: randomUUID(), ...more } })).id;

async function submit(agent: Caller, id: string, ...calls: [name: string, args: object][]): Promise<Turn> {
  const named = calls.map(([name, args], index) => ({ id: `call-${index}`, name, arguments: args as never }));
  return agent.call(turnEndpoints.submit, { params: { id }, body: { calls: named } });
}

test("an argument that a tool does not have is refused by name, and its neighbours run", async ({ api }) => {
  const turn = await submit(api.agent, await open(api.agent), ["grep", { pattern: "x", output_mode: "count" }], ["date_time", {}]);
  expect(turn.calls.map(({ status }) => status)).toEqual(["failed", "succeeded"]);
  expect(turn.calls[0]?.content).toContain("unknown argument `output_mode`; did you mean `mode`?");
});

test("grep takes a regular expression, and answers lines as grep prints them", async ({ api }) => {
  const conversation = await open(api.agent);
  const written = await submit(api.agent, conversation, ["shell_execute", { command: "printf 'alpha\\nbeta\\ngamma\\n' > words.txt" }]);
  expect(written.calls[0]?.status).toBe("succeeded");
  const turn = await submit(
    api.agent,
    conversation,
    ["grep", { pattern: "alpha|beta" }],
    ["search_files", { query: "a", mode: "count" }],
    ["find_files", { pattern: "*.txt" }],
  );
  expect(turn.calls.map(({ content }) => content)).toEqual([
    "words.txt:1: alpha\nwords.txt:2: beta\n[2 lines in 1 file]",
    "words.txt: 3\n[1 file, 3 lines]",
    "words.txt\n[1 file]",
  ]);
});

test("a number that cannot be kept exactly is an answer of its call, in either form of arguments", async ({ api }) => {
  const conversation = await open(api.agent);
  for (const args of ['{"timezone": 1e400}', '"{\\"timezone\\": 1e400}"', '{"timezone": 12345678901234567890}']) {
    const response = await api.agent.fetch(`/api/v1/conversations/${conversation}/turns`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: `{"calls":[{"id":"1","name":"date_time","arguments":${args}}]}`,
    });
    expect(response.status, args).toBe(200);
    const turn = (await response.json()) as Turn;
    expect(turn.calls[0]).toMatchObject({ status: "failed", isError: true });
    expect(turn.calls[0]?.content, args).toContain("a number that cannot be kept exactly: timezone");
  }
});

test("a tool that asks a person is refused at once where nobody can be asked", async ({ api }) => {
  const conversation = await open(api.agent, { interactive: false });
  const turn = await submit(api.agent, conversation, ["enable_tool", { toolName: "ask_user" }]);
  expect(turn.calls[0]?.status).toBe("succeeded");
  const asked = await submit(api.agent, conversation, ["ask_user", { question: "Which one?" }]);
  expect(asked.status).toBe("completed");
  expect(asked.calls[0]?.content).toContain("nobody can be asked in this conversation");
});

test("a request belongs to the trace that its caller names: answer and audit say so", async ({ api, productUrl }) => {
  const traceId = randomBytes(16).toString("hex");
  const traceparent = `00-${traceId}-${randomBytes(8).toString("hex")}-01`;
  const answer = await api.admin.send(
    toolEndpoints.update,
    { params: { id: "url_fetch" }, body: { timeoutMs: 30_000 } },
    { headers: { traceparent } },
  );
  expect(answer.headers.get("traceparent")).toBe(traceparent);
  expect(answer.headers.get("x-request-id")).toBe(traceId);
  await api.admin.call(toolEndpoints.update, { params: { id: "url_fetch" }, body: { timeoutMs: null } });
  const { items } = await api.admin.call(auditEndpoints.list, { query: { event: "tool.updated", tool: "url_fetch", limit: 20 } });
  expect(items.map(({ requestId }) => requestId)).toContain(traceId);
  const refused = await fetch(`${productUrl}/api/v1/nowhere`, { headers: { traceparent } });
  expect(refused.headers.get("traceparent")).toBe(traceparent);
});

test("what fits no form of a union is told which members are missing", async ({ api }) => {
  const draft = { tool: "date_time", scope: "workspace" as const, match: { kind: "pattern" } as never };
  const problem: Problem = await api.admin.refusal(grantEndpoints.create, { body: draft });
  expect(problem.errors?.map(({ path }) => path)).toContain("match.pattern");
});

test("an address that nobody serves below /api and /mcp is a problem in JSON", async ({ productUrl }) => {
  for (const [method, path] of [
    ["POST", "/mcp/x"],
    ["GET", "/api"],
    ["POST", "/api/v2/x"],
    ["DELETE", "/api/v1/nowhere"],
  ] as const) {
    const response = await fetch(productUrl + path, { method });
    expect(response.status, `${method} ${path}`).toBe(404);
    expect(response.headers.get("content-type"), path).toContain("application/problem+json");
    expect(((await response.json()) as Problem).code).toBe("not_found");
  }
});
