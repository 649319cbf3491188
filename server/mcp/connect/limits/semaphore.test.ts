import { expect, test } from "vitest";
import { makeSemaphore } from "./semaphore";

test("only a few start at once, and the next begins when one is done", async () => {
  const slot = makeSemaphore(2, 60_000);
  const started: number[] = [];
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const all = gates.map(({ promise }, index) =>
    slot(() => {
      started.push(index);
      return promise;
    }),
  );
  await Promise.resolve();
  expect(started).toEqual([0, 1]);
  gates[1]?.resolve();
  await all[1];
  await expect.poll(() => started).toEqual([0, 1, 2]);
  for (const gate of gates) gate.resolve();
  await Promise.all(all);
  expect(started).toEqual([0, 1, 2, 3]);
});

test("one that hangs keeps nobody waiting for long, and one that fails none at all", async () => {
  const slot = makeSemaphore(1, 20);
  void slot(() => new Promise(() => {}));
  await expect(slot(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  const failing = slot(() => {
    throw new Error("at once");
  });
  await expect(failing).rejects.toThrow("at once");
  expect(await slot(async () => "next")).toBe("next");
});
