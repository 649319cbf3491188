import { expect, test } from "vitest";
import { moveItem } from "./move-item";

const items = ["a", "b", "c"].map((id) => ({ id }));
const order = (id: string, to: number) =>
  moveItem(items, id, to)
    .map((item) => item.id)
    .join("");

test("an item moves to the place that it is dropped on, and the others close up", () => {
  expect(order("a", 2)).toBe("bca");
  expect(order("c", 0)).toBe("cab");
  expect(order("b", 0)).toBe("bac");
});

test("a place beyond the ends is the end", () => {
  expect(order("b", 9)).toBe("acb");
  expect(order("b", -1)).toBe("bac");
});

test("a move that changes nothing returns the same list", () => {
  expect(moveItem(items, "a", 0)).toBe(items);
  expect(moveItem(items, "a", -1)).toBe(items);
  expect(moveItem(items, "x", 1)).toBe(items);
});
