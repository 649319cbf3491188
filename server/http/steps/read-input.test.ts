import { expect, test } from "vitest";
import { z } from "zod";
import { agentEndpoints } from "@/contracts/agents/agents";
import { Timestamp } from "@/contracts/common";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import type { Endpoint } from "@/contracts/endpoint";
import { guardEndpoints } from "@/contracts/guard/guard";
import { hookEndpoints } from "@/contracts/hooks/hooks";
import { mcpAuthorizationEndpoints } from "@/contracts/mcp/mcp-authorization";
import { toolEndpoints } from "@/contracts/tools/tools";
import { turnEndpoints } from "@/contracts/turns/turns";
import { readInput } from "./read-input";

const id = "01a20270-507a-73bb-8cf0-bfa1fac0932a";

const read = (endpoint: Endpoint, body: string, params: Record<string, string> = {}) =>
  readInput(endpoint, new Request("http://handrail.test/x", { method: "POST", body }), params);

const open: Endpoint = { method: "POST", path: "/x", summary: "", permission: null, body: z.record(z.string(), z.json()) };

test.each([
  ['{"a":{"b":["x","\\ud800"]}}', "a.b.1"],
  ['{"a":"\\uDFFF"}', "a"],
  ['{"a":"x\\u0000y"}', "a"],
  ['{"a":[{"\\ud83d":1}]}', "a.0.\u{fffd}"],
  ['{"a":"\\ude00\\ud83d"}', "a"],
])("%s holds a text that cannot be stored: the caller is told where", async (body, path) => {
  await expect(read(open, body)).rejects.toMatchObject({ code: "invalid", details: { errors: [{ path }] } });
});

test.each(['{"a":"\\ud83d\\ude00 \\u0001 \\ufffd"}', '{"a":"\\\\ud800 as it is written"}', '{"a":"😀"}', '{"a":"\\\\u0000"}'])(
  "%s is a text like any other",
  async (body) => {
    expect((await read(open, body)).body).toEqual(JSON.parse(body));
  },
);

test.each<[Endpoint, Record<string, string>, string, string]>([
  [guardEndpoints.createRule, {}, '{"name":"x","pattern":"a\\ud800"}', "pattern"],
  [guardEndpoints.createRule, {}, '{"comparisons":[{"value":"\\ud800"}]}', "comparisons.0.value"],
  [agentEndpoints.create, {}, '{"name":"x","description":"\\ud800"}', "description"],
  [conversationEndpoints.create, {}, '{"metadata":{"a":"\\ud800"}}', "metadata.a"],
  [hookEndpoints.create, {}, '{"action":{"type":"inject","value":"\\u0000"}}', "action.value"],
  [hookEndpoints.tryOut, {}, '{"hook":{"name":"\\ud800"}}', "hook.name"],
  [turnEndpoints.submit, { id }, '{"calls":[],"callbackUrl":"\\ud800"}', "callbackUrl"],
])("what people and programs configure never changes on its way to the database", async (endpoint, params, body, path) => {
  await expect(read(endpoint, body, params)).rejects.toMatchObject({ code: "invalid", details: { errors: [{ path }] } });
});

test("a model's arguments are taken as they are: a call fails by itself, and the others go on", async () => {
  const calls = [{ id: "1", name: "look\ud800", arguments: { text: "a\0", "\ud800": 1 } }];
  expect((await read(turnEndpoints.submit, JSON.stringify({ calls }), { id })).body).toMatchObject({ calls });
  const asked = { tool: "look", arguments: { text: "\ud800" } };
  expect((await read(guardEndpoints.evaluate, JSON.stringify(asked))).body).toMatchObject(asked);
  const reply = { reply: { content: "\ud800" } };
  expect((await read(hookEndpoints.runForLlm, JSON.stringify(reply), { id, event: "after_llm" })).body).toEqual(reply);
});

test("a number that would become another one is no valid value, and is left to the call where a model wrote it", async () => {
  await expect(read(open, '{"a":{"b":12345678901234567890}}')).rejects.toMatchObject({ code: "invalid" });
  await expect(read(open, '{"a":1e400}')).rejects.toMatchObject({ code: "invalid" });
  const calls = '{"calls":[{"id":"1","name":"look","arguments":{"x":1e400,"y":12345678901234567890,"z":9007199254740991}}]}';
  expect((await read(turnEndpoints.submit, calls, { id })).body).toMatchObject({
    calls: [{ arguments: { x: Number.POSITIVE_INFINITY, y: Number.POSITIVE_INFINITY, z: 9_007_199_254_740_991 } }],
  });
});

const rule = { name: "x", tool: "*", verdict: "deny", priority: 1 };
const hook = (action: string) => `{"name":"x","event":"before_tool","action":${action}}`;

test.each<[Endpoint, Record<string, string>, string, string]>([
  [guardEndpoints.updateConfig, {}, '{"detectors":{"__proto__":{"enabled":false}}}', "detectors.__proto__"],
  [guardEndpoints.evaluate, {}, '{"tool":"a","arguments":{"b":[{"__proto__":1}]}}', "arguments.b.0.__proto__"],
  [hookEndpoints.create, {}, hook('{"type":"set","pointer":"/a","value":{"__proto__":1}}'), "action.value.__proto__"],
  [hookEndpoints.create, {}, hook('{"type":"validate","schema":{"__proto__":{}}}'), "action.schema.__proto__"],
  [conversationEndpoints.create, {}, '{"metadata":{"__proto__":"a"}}', "metadata.__proto__"],
  [open, {}, '{"__proto__":1}', "__proto__"],
])("a member called __proto__ is refused with its place where it would be lost", async (endpoint, params, body, path) => {
  const message = "no member may be called __proto__";
  await expect(read(endpoint, body, params)).rejects.toMatchObject({ code: "invalid", details: { errors: [{ path, message }] } });
});

test("a model's call with such a member is taken, and fails by itself", async () => {
  const calls = '[{"id":"1","name":"look","arguments":{"__proto__":{"a":1}}}]';
  const taken = await read(turnEndpoints.submit, `{"calls":${calls}}`, { id });
  expect(JSON.stringify(taken.body)).toContain('"__proto__"');
});

test("a text that says __proto__ is one like any other", async () => {
  const draft = { ...rule, name: "__proto__" };
  expect((await read(guardEndpoints.createRule, JSON.stringify(draft))).body).toMatchObject({ name: "__proto__" });
});

test("a path and a query cannot hold such a text either", async () => {
  const endpoint: Endpoint = { ...open, body: undefined, params: z.object({ name: z.string() }), query: z.object({ q: z.string() }) };
  const get = (query: string, name: string) => readInput(endpoint, new Request(`http://handrail.test/x?q=${query}`), { name });
  await expect(get("a%00b", "x")).rejects.toMatchObject({ code: "invalid", details: { errors: [{ path: "q" }] } });
  await expect(get("a", "x\0")).rejects.toMatchObject({ code: "not_found" });
  expect(await get("a", "x")).toMatchObject({ query: { q: "a" }, params: { name: "x" } });
});

const readWords = (endpoint: Endpoint, query: string) => readInput(endpoint, new Request(`http://handrail.test/x${query}`), {});
const filtered: Endpoint = {
  ...open,
  method: "GET",
  body: undefined,
  query: z.object({ agentId: z.string().optional(), verdict: z.string().optional() }),
};

test("an unknown query word is refused by name, with the nearest word and all words that exist", async () => {
  await expect(readWords(filtered, "?agentID=x&decision=deny")).rejects.toMatchObject({
    code: "invalid",
    message: "The query is not valid: agentID: unknown query word. Did you mean agentId? The words are agentId, verdict.",
    details: {
      errors: [{ path: "agentID" }, { path: "decision", message: "unknown query word. The words are agentId, verdict." }],
    },
  });
  await expect(readWords({ ...filtered, query: undefined }, "?x")).rejects.toMatchObject({
    message: "The query is not valid: x: unknown query word. This endpoint takes no query words.",
  });
  await expect(readWords(filtered, "?__proto__=x")).rejects.toMatchObject({ code: "invalid" });
  expect((await readWords(filtered, "?verdict=deny")).query).toEqual({ verdict: "deny" });
});

test("an address of a standard ignores the words that the other side adds", async () => {
  const callback = await readWords(mcpAuthorizationEndpoints.callback, "?state=s&code=c&session_state=x");
  expect(callback.query).toEqual({ state: "s", code: "c" });
});

test("a moment in the year 0 is none", () => {
  expect(Timestamp.safeParse("0000-01-01T00:00:00Z").success).toBe(false);
  expect(Timestamp.safeParse("0001-01-01T00:00:00Z").success).toBe(true);
});

test("a wrong member has the code that the contract gives it, unless others are wrong too", async () => {
  const { setTier } = toolEndpoints;
  await expect(read(setTier, '{"tier":"x"}', { id })).rejects.toMatchObject({ code: "invalid_tier" });
  await expect(read(setTier, '{"tier":"x","other":1}', { id })).rejects.toMatchObject({ code: "invalid" });
});
