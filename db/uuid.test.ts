import { expect, test } from "vitest";
import { z } from "zod";
import { v7 } from "./uuid";

test("ids of one process are versions 7 of a UUID, all different, and sort in the order of their creation", () => {
  const ids = Array.from({ length: 20_000 }, v7);
  expect(ids.every((id) => z.uuidv7().safeParse(id).success)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
});

test("an id begins with the milliseconds of its creation", () => {
  const before = Date.now();
  const milliseconds = Number.parseInt(v7().replaceAll("-", "").slice(0, 12), 16);
  expect(milliseconds).toBeGreaterThanOrEqual(before);
  // A full counter lends from the next milliseconds.
  expect(milliseconds).toBeLessThan(Date.now() + 1_000);
});
