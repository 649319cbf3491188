import { expect, test } from "vitest";
import { readWhole } from "./define-resource";

test("the list of a noun is read to its end, whatever the number of its pages", async () => {
  const pages = { first: { items: [1, 2], nextCursor: "a" }, a: { items: [3], nextCursor: "b" }, b: { items: [4], nextCursor: null } };
  const asked: (string | null)[] = [];
  const whole = await readWhole(async (cursor) => {
    asked.push(cursor);
    return structuredClone(pages[(cursor ?? "first") as keyof typeof pages]);
  });
  expect(whole).toEqual({ items: [1, 2, 3, 4], nextCursor: null });
  expect(asked).toEqual([null, "a", "b"]);
});
