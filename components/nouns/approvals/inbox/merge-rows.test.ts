import { expect, test } from "vitest";
import type { InboxRow } from "@/contracts/approvals/approvals";
import { type InboxPages, mergeRows } from "./merge-rows";

const row = (id: string, minute: number) => ({ id, expiresAt: `2026-11-28T10:${minute}:00.000Z` }) as InboxRow;
const pages = (...lists: InboxRow[][]): InboxPages => ({
  pages: lists.map((items, place) => ({ items, nextCursor: place === lists.length - 1 ? null : "more", total: 9 })),
  pageParams: lists.map(() => undefined),
});
const merged = (known: InboxPages, ids: string[], items: InboxRow[], total = 7) => mergeRows(known, new Set(ids), { items, total });
const ids = ({ pages: lists }: InboxPages) => lists.map(({ items }) => items.map(({ id }) => id));

test("a line that was asked for and not found has left, the others stay as they are, and every page has the new total", () => {
  const known = pages([row("a", 10), row("b", 20)], [row("c", 30)]);
  const after = merged(known, ["b"], []);
  expect(ids(after)).toEqual([["a"], ["c"]]);
  expect(after.pages.map(({ total }) => total)).toEqual([7, 7]);
  expect(after.pages[0]?.items[0]).toBe(known.pages[0]?.items[0]);
});

test("a new line stands where it expires, and a changed one moves there", () => {
  const known = pages([row("a", 10), row("c", 30)], [row("e", 50)]);
  expect(ids(merged(known, ["b", "d", "f"], [row("f", 59), row("d", 40), row("b", 20)]))).toEqual([
    ["a", "b", "c"],
    ["d", "e", "f"],
  ]);
  expect(ids(merged(known, ["a"], [row("a", 55)]))).toEqual([["c"], ["e", "a"]]);
});

test("a line behind the last page that was read comes with the next page", () => {
  const known = pages([row("a", 10)], []);
  const partly = { ...known, pages: known.pages.slice(0, 1) };
  expect(ids(merged(partly, ["z"], [row("z", 59)]))).toEqual([["a"]]);
  expect(ids(merged(partly, ["z"], [row("z", 59)], 10))).toEqual([["a"]]);
});

test("an empty list takes its first line", () => {
  expect(ids(merged(pages([]), ["a"], [row("a", 10)], 1))).toEqual([["a"]]);
});
