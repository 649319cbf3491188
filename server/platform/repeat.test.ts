import { expect, test } from "vitest";
import { repeat } from "./repeat";

test("work is repeated after a failure too, and stopping ends the pause", async () => {
  const { promise: third, resolve } = Promise.withResolvers<void>();
  const failures: unknown[] = [];
  let times = 0;
  const stop = repeat(
    async () => {
      times += 1;
      if (times === 1) throw new Error("first");
      if (times < 3) return 0;
      resolve();
      return 60_000;
    },
    { pauseMs: 1, onError: (error) => failures.push(error) },
  );
  await third;
  await stop();
  expect(times).toBe(3);
  expect(failures).toEqual([new Error("first")]);
});

test("stopping waits for the work that is under way", async () => {
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  let isDone = false;
  const stop = repeat(
    async () => {
      await goesOn;
      isDone = true;
      return 0;
    },
    { pauseMs: 60_000, onError: () => {} },
  );
  const stopped = stop();
  goOn();
  await stopped;
  expect(isDone).toBe(true);
});
