import { expect, test } from "vitest";
import type { AuditEventName } from "@/contracts/audit";
import { countCalls, mostCounted } from "./count-calls";

const items = (...events: AuditEventName[]) => events.map((event) => ({ event }));

test("outcomes are counted over all pages, the most frequent first", async () => {
  const pages = [
    { items: items("call.denied", "call.succeeded"), nextCursor: "2" },
    { items: items("call.succeeded"), nextCursor: null },
  ];
  const asked: (string | undefined)[] = [];
  const counts = await countCalls(async (cursor) => {
    asked.push(cursor);
    return pages[asked.length - 1] ?? { items: [], nextCursor: null };
  });
  expect(asked).toEqual([undefined, "2"]);
  expect(counts).toEqual({
    outcomes: [
      { outcome: "succeeded", count: 2 },
      { outcome: "denied", count: 1 },
    ],
    total: 3,
    isAll: true,
  });
});

test("counting stops where the number is large enough", async () => {
  const page = { items: items(...Array.from({ length: 200 }, () => "call.failed" as const)), nextCursor: "more" };
  const counts = await countCalls(async () => page);
  expect(counts).toMatchObject({ total: mostCounted, isAll: false });
});

test("a day without calls has no outcomes", async () => {
  expect(await countCalls(async () => ({ items: [], nextCursor: null }))).toEqual({ outcomes: [], total: 0, isAll: true });
});
