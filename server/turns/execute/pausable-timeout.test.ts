import { expect, test, vi } from "vitest";
import { pausableTimeout } from "./pausable-timeout";

test("time that does not count is not counted, and the rest still is", async () => {
  vi.useFakeTimers();
  const onTimeout = vi.fn();
  const timeout = pausableTimeout(1_000, onTimeout);
  await vi.advanceTimersByTimeAsync(600);
  const pause = timeout.during(() => new Promise((resolve) => setTimeout(resolve, 60_000)));
  await vi.advanceTimersByTimeAsync(60_000);
  await pause;
  await vi.advanceTimersByTimeAsync(399);
  expect(onTimeout).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2);
  expect(onTimeout).toHaveBeenCalledTimes(1);
});

test("a cleared timeout never fires, even when it is cleared during a pause", async () => {
  vi.useFakeTimers();
  const onTimeout = vi.fn();
  const timeout = pausableTimeout(1_000, onTimeout);
  const pause = timeout.during(() => new Promise((resolve) => setTimeout(resolve, 500)));
  timeout.clear();
  await vi.advanceTimersByTimeAsync(5_000);
  await pause;
  expect(onTimeout).not.toHaveBeenCalled();
});
