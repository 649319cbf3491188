import { expect, test } from "vitest";
import { SlidingWindow } from "./sliding-window";

const make = (maxKeys = 10) => new SlidingWindow({ windowMs: 60_000, maxKeys });

test("a key that reached its limit waits until its first event is a window old", () => {
  const window = make();
  for (const at of [0, 10_000]) window.add("key", at);
  expect(window.waitMs("key", 3, 20_000)).toBe(0);
  expect(window.waitMs("key", 2, 20_000)).toBe(40_000);
  expect(window.waitMs("key", 1, 20_000)).toBe(50_000);
  expect(window.waitMs("key", 2, 60_000)).toBe(0);
  expect(window.waitMs("other", 1, 20_000)).toBe(0);
});

test("an event that is taken back counts no more, and no other event of the key goes with it", () => {
  const window = make();
  for (const at of [0, 0, 5]) window.add("key", at);
  window.takeBack("key", 0);
  window.takeBack("key", 99);
  expect(window.waitMs("key", 2, 10)).toBe(59_990);
  expect(window.waitMs("key", 3, 10)).toBe(0);
  window.forget("key");
  expect(window.waitMs("key", 1, 10)).toBe(0);
});

test("with too many keys the one that was counted longest ago goes", () => {
  const window = make(2);
  for (const key of ["a", "b", "c"]) window.add(key, 0);
  expect(["a", "b", "c"].map((key) => window.waitMs(key, 1, 1))).toEqual([0, 59_999, 59_999]);
});
