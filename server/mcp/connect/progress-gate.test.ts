import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ProgressGate } from "./progress-gate";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const step = (progressToken: unknown, progress: number) => ({
  jsonrpc: "2.0",
  method: "notifications/progress",
  params: { progressToken, progress },
});

test("each call's progress is thinned out for itself, and an answer ends it", () => {
  const seen: JSONRPCMessage[] = [];
  const gate = new ProgressGate((message) => seen.push(message));
  for (let progress = 1; progress <= 50; progress += 1) for (const token of [1, "b"]) expect(gate.takes(step(token, progress))).toBe(true);
  expect(seen).toEqual([step(1, 1), step("b", 1)]);
  expect(gate.takes({ jsonrpc: "2.0", id: 1, result: {} })).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect(seen).toEqual([step(1, 1), step("b", 1), step("b", 50)]);
});

test("invented calls take no memory without bound, and nothing is kept at the end", () => {
  const gate = new ProgressGate(() => {});
  for (let token = 0; token < 10_000; token += 1) for (const progress of [1, 2]) gate.takes(step(token, progress));
  expect(vi.getTimerCount()).toBeLessThanOrEqual(256);
  gate.stop();
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ["an answer", { jsonrpc: "2.0", id: 1, result: {} }],
  ["another notification", { jsonrpc: "2.0", method: "notifications/message", params: {} }],
  ["progress of no call", step(null, 1)],
  ["something else", "text"],
])("%s goes its own way", (_title, message) => {
  expect(new ProgressGate(() => {}).takes(message)).toBe(false);
});

test("progress that is not as it should be is left out", () => {
  const deliver = vi.fn();
  expect(new ProgressGate(deliver).takes({ ...step(1, 1), jsonrpc: "1.0" })).toBe(true);
  expect(deliver).not.toHaveBeenCalled();
});
