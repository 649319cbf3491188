import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NotificationGate } from "./notification-gate";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const step = (progressToken: unknown, progress: number) => ({
  jsonrpc: "2.0",
  method: "notifications/progress",
  params: { progressToken, progress },
});

const numbers = (steps: { progress: number }[]) => steps.map(({ progress }) => progress);

test("each call's progress is thinned out for itself, and its end passes the last step", () => {
  const [one, two]: { progress: number }[][] = [[], []];
  const gate = new NotificationGate(() => {});
  const end = gate.follow(1, (step) => one?.push(step));
  gate.follow(2, (step) => two?.push(step));
  for (let progress = 1; progress <= 50; progress += 1) for (const token of [1, 2]) expect(gate.takes(step(token, progress))).toBe(true);
  expect([numbers(one ?? []), numbers(two ?? [])]).toEqual([[1], [1]]);
  end();
  expect([numbers(one ?? []), numbers(two ?? [])]).toEqual([[1, 50], [1]]);
  vi.advanceTimersByTime(1_000);
  expect([numbers(one ?? []), numbers(two ?? [])]).toEqual([
    [1, 50],
    [1, 50],
  ]);
});

test("progress of calls that nobody made is dropped, and nothing is kept at the end", () => {
  const deliver = vi.fn();
  const gate = new NotificationGate(deliver);
  gate.follow(1, deliver);
  for (let token = 2; token < 10_000; token += 1) expect(gate.takes(step(token, 1))).toBe(true);
  expect(gate.takes(step(null, 1))).toBe(true);
  expect(gate.takes(step(1, "far" as never))).toBe(true);
  expect(deliver).not.toHaveBeenCalled();
  for (const progress of [1, 2]) gate.takes(step(1, progress));
  gate.stop();
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ["an answer", { jsonrpc: "2.0", id: 1, result: {} }],
  ["another notification", { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }],
  ["a request of a server", { jsonrpc: "2.0", id: 1, method: "notifications/message", params: {} }],
  ["something else", "text"],
])("%s goes its own way", (_title, message) => {
  expect(new NotificationGate(() => {}).takes(message)).toBe(false);
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

test("changed lists of resources and prompts are told like those of tools, and log messages go to the log only", () => {
  const deliver = vi.fn();
  const onLog = vi.fn();
  const gate = new NotificationGate(deliver, onLog);
  for (const list of ["resources", "prompts"]) {
    const changed = { jsonrpc: "2.0", method: `notifications/${list}/list_changed` };
    for (let count = 0; count < 100; count += 1) expect(gate.takes(changed)).toBe(true);
  }
  expect(gate.takes({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info" } })).toBe(true);
  vi.runAllTimers();
  expect(deliver).toHaveBeenCalledTimes(4);
  expect(onLog.mock.calls).toEqual([[{ level: "info" }]]);
});

test("a flood of changed resources is bounded, and each change within the bound is told", () => {
  const deliver = vi.fn();
  const gate = new NotificationGate(deliver);
  const updated = (uri: string) => ({ jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri } });
  for (let count = 0; count < 10_000; count += 1) expect(gate.takes(updated(`note://${count}`))).toBe(true);
  expect(deliver.mock.calls.length).toBeLessThanOrEqual(300);
  expect(deliver.mock.calls[1]).toEqual([updated("note://1")]);
});
