import { expect, test } from "vitest";
import { readMessages } from "./read-messages";

const answer = { jsonrpc: "2.0", id: 1, result: { content: [] } };
const nested = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

test("messages without a fault stay the same objects", () => {
  const data = { jsonrpc: "2.0", id: 2, result: { content: [], structuredContent: { row: { name: null } } } };
  const log = { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: null } };
  for (const message of [answer, data, log, "text", null, 5, {}, []]) {
    const [read, ...others] = readMessages(message);
    expect(read).toBe(message);
    expect(others).toEqual([]);
  }
});

test("a batch is taken apart, and a list of other things is none", () => {
  expect(readMessages([answer, answer])).toEqual([answer, answer]);
  expect(readMessages([answer, 5])).toEqual([[answer, 5]]);
});

test("members that are null are left out where the protocol wants them absent, and stay in what a tool answered", () => {
  const structuredContent = { a: null };
  expect(
    readMessages({ ...answer, method: null, params: null, error: null, result: { structuredContent, isError: null, _meta: null } }),
  ).toEqual([{ jsonrpc: "2.0", id: 1, result: { structuredContent } }]);
  const error = { code: -32_000, message: "no", data: null };
  expect(readMessages({ jsonrpc: "2.0", id: 1, result: null, error })).toEqual([{ jsonrpc: "2.0", id: 1, error }]);
  expect(readMessages({ jsonrpc: "2.0", id: 1, method: "ping", params: null })).toEqual([{ jsonrpc: "2.0", id: 1, method: "ping" }]);
  const asked = { jsonrpc: "2.0", id: 1, method: "elicitation/create", params: { message: "?", _meta: null } };
  expect(readMessages(asked)).toEqual([{ ...asked, params: { message: "?" } }]);
});

test("an answer without a result and an error keeps its fault", () => {
  const faulty = { jsonrpc: "2.0", id: 1, result: null, error: null };
  expect(readMessages(faulty)).toEqual([faulty]);
});

test("an answer that is nested too deep becomes the error of its request, and any other message a line that says so", () => {
  expect(readMessages({ ...answer, result: { structuredContent: nested(1_000) } })).toMatchObject([
    { id: 1, error: { message: "The server's answer is not of the MCP protocol: it is nested more than 500 levels deep." } },
  ]);
  expect(readMessages(nested(100_000))).toEqual(["a message was left out: it is nested more than 500 levels deep"]);
  expect(readMessages({ ...answer, result: { structuredContent: nested(400) } })).toHaveLength(1);
});
