import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NotificationGate } from "./notification-gate";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const step = (progressToken: unknown, progress: number) => ({
  jsonrpc: "2.0",
  method: "notifications/progress",
  params: { progressToken, progress },
});

test("each call's progress is thinned out for itself, and an answer ends it", () => {
  const seen: JSONRPCMessage[] = [];
  const gate = new NotificationGate((message) => seen.push(message));
  for (let progress = 1; progress <= 50; progress += 1) for (const token of [1, "b"]) expect(gate.takes(step(token, progress))).toBe(true);
  expect(seen).toEqual([step(1, 1), step("b", 1)]);
  expect(gate.takes({ jsonrpc: "2.0", id: 1, result: {} })).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect(seen).toEqual([step(1, 1), step("b", 1), step("b", 50)]);
});

test("invented calls take no memory without bound, and nothing is kept at the end", () => {
  const gate = new NotificationGate(() => {});
  for (let token = 0; token < 10_000; token += 1) for (const progress of [1, 2]) gate.takes(step(token, progress));
  expect(vi.getTimerCount()).toBeLessThanOrEqual(256);
  gate.stop();
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ["an answer", { jsonrpc: "2.0", id: 1, result: {} }],
  ["another notification", { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }],
  ["a request of a server", { jsonrpc: "2.0", id: 1, method: "notifications/message", params: {} }],
  ["progress of no call", step(null, 1)],
  ["something else", "text"],
])("%s goes its own way", (_title, message) => {
  expect(new NotificationGate(() => {}).takes(message)).toBe(false);
});

test("progress that is not as it should be is left out", () => {
  const deliver = vi.fn();
  expect(new NotificationGate(deliver).takes({ ...step(1, 1), jsonrpc: "1.0" })).toBe(true);
  expect(deliver).not.toHaveBeenCalled();
});

test("a flood of changed tool lists becomes one a second, and the last one is told", () => {
  const changed = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
  const deliver = vi.fn();
  const gate = new NotificationGate(deliver);
  for (let count = 0; count < 10_000; count += 1) expect(gate.takes(changed)).toBe(true);
  expect(deliver).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(deliver.mock.calls).toEqual([[changed], [changed]]);
});

test("nobody reads logs, resources and prompts of a server, so notifications about them go no further", () => {
  const deliver = vi.fn();
  const gate = new NotificationGate(deliver);
  for (const method of ["message", "resources/updated", "resources/list_changed", "prompts/list_changed"]) {
    expect(gate.takes({ jsonrpc: "2.0", method: `notifications/${method}`, params: {} })).toBe(true);
  }
  vi.runAllTimers();
  expect(deliver).not.toHaveBeenCalled();
});

test("progress of calls that nobody made is bounded in all", () => {
  const deliver = vi.fn();
  const gate = new NotificationGate(deliver);
  for (let token = 0; token < 100_000; token += 1) gate.takes(step(token, 1));
  expect(deliver.mock.calls.length).toBeLessThanOrEqual(1_024);
});
