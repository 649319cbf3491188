import fc from "fast-check";
import { expect, test } from "vitest";
import { placePriorities } from "./place-priorities";

const own = (id: string) => ({ id, fixedPriority: null });
const ofFile = (id: string, fixedPriority: number) => ({ id, fixedPriority });
const placed = (...order: Parameters<typeof placePriorities>[0]) => Object.fromEntries(placePriorities(order));

test("without a policy file rules count down in tens", () => {
  expect(placed(own("a"), own("b"), own("c"))).toEqual({ a: 30, b: 20, c: 10 });
});

test("rules stand above, between and below those of the file", () => {
  expect(placed(own("a"), ofFile("f", 100), own("b"), own("c"), ofFile("g", 50), own("d"))).toEqual({ a: 110, b: 70, c: 60, d: 41 });
});

test("a rule of the file comes first between equals, so its own priority is free below it", () => {
  expect(placed(ofFile("f", 5), own("a"), ofFile("g", 4))).toEqual({ a: 5 });
  expect(() => placed(ofFile("f", 5), own("a"), own("b"), ofFile("g", 4))).toThrow("no room");
});

test("rules of the file cannot be turned around, and may have equal priorities", () => {
  expect(() => placed(ofFile("g", 4), own("a"), ofFile("f", 5))).toThrow("keep their order");
  expect(() => placed(ofFile("g", 4), ofFile("f", 5))).toThrow(expect.objectContaining({ code: "conflict" }));
  expect(placed(ofFile("f", 5), ofFile("g", 5), own("a"))).toEqual({ a: -4 });
});

test("rules stand in tens above the first rule of the file and below the last, and closer where there is less room", () => {
  expect(placed(own("a"), own("b"), ofFile("f", 100))).toEqual({ a: 120, b: 110 });
  expect(placed(ofFile("f", 100), own("a"), own("b"))).toEqual({ a: 91, b: 81 });
  expect(placed(ofFile("f", 8), own("a"), own("b"), ofFile("g", 0))).toEqual({ a: 8, b: 4 });
  expect(() => placed(ofFile("f", 2), own("a"), own("b"), own("c"), ofFile("g", 0))).toThrow(expect.objectContaining({ code: "conflict" }));
});

test("whatever is asked, the order comes out as asked", () => {
  const ofAny = fc.oneof(fc.constant(null), fc.integer({ min: -1_000_000, max: 1_000_000 }));
  fc.assert(
    fc.property(fc.array(ofAny, { maxLength: 12 }), (entries) => {
      const fixed = entries.filter((entry) => entry !== null).sort((a, b) => b - a);
      const order = entries.map((entry, index) => (entry === null ? own(`own-${index}`) : ofFile(`file-${index}`, fixed.shift() ?? 0)));
      let priorities: Map<string, number>;
      try {
        priorities = placePriorities(order);
      } catch {
        return;
      }
      const all = order.map(({ id, fixedPriority }) => ({
        id,
        isOwn: fixedPriority === null,
        priority: fixedPriority ?? priorities.get(id) ?? 0,
      }));
      const tried = all.toSorted((a, b) => b.priority - a.priority || Number(a.isOwn) - Number(b.isOwn));
      expect(tried.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
      for (const { priority } of all) expect(Math.abs(priority)).toBeLessThanOrEqual(1_000_000);
    }),
  );
});
