import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import type { InboxRow } from "@/contracts/approvals/approvals";
import { approvalQueries } from "../queries";
import { refreshApprovals } from "./refresh-rows";

const row = (name: string, minute: number) => ({ id: name, expiresAt: `2026-11-28T10:${minute}:00.000Z`, summary: name }) as InboxRow;

/** A client with an open inbox of two lines, and the addresses that it asks for from then on. */
async function openInbox(answer: (address: URL) => unknown) {
  const asked: URL[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(new URL(address, "http://console.test"));
    return Response.json(answer(asked.at(-1) as URL));
  });
  const client = new QueryClient();
  const observer = new InfiniteQueryObserver(client, { ...approvalQueries.inbox({ status: "pending" }), refetchInterval: false });
  const close = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(observer.getCurrentResult().isSuccess).toBe(true));
  asked.length = 0;
  const lines = () => observer.getCurrentResult().data?.pages.flatMap(({ items }) => items.map(({ id }) => id));
  return { client, asked, lines, close };
}
afterEach(() => vi.unstubAllGlobals());

test("an open inbox reads the changed lines alone, and keeps the others", async () => {
  const whole = { items: [row("a", 10), row("c", 30)], nextCursor: null, total: 2 };
  const { client, asked, lines, close } = await openInbox(({ searchParams }) =>
    searchParams.has("only") ? { items: [row("b", 20)], nextCursor: null, total: 2 } : whole,
  );
  await refreshApprovals(client, new Set(["b", "c"]));
  expect(lines()).toEqual(["a", "b"]);
  expect(asked.map(({ searchParams }) => [searchParams.get("only"), searchParams.get("status")])).toEqual([["b,c", "pending"]]);
  close();
});

test("after more changes than can be named, and when the lines cannot be read, the list is read anew", async () => {
  let isBroken = false;
  const whole = { items: [row("a", 10)], nextCursor: null, total: 1 };
  const { client, asked, lines, close } = await openInbox(({ searchParams }) => {
    if (isBroken && searchParams.has("only")) throw new TypeError("Failed to fetch");
    return whole;
  });
  await refreshApprovals(client, new Set(Array.from({ length: 51 }, (_, place) => `${place}`)));
  expect(asked.map(({ searchParams }) => searchParams.get("only"))).toEqual([null]);
  isBroken = true;
  await refreshApprovals(client, new Set(["z"]));
  expect(asked.map(({ searchParams }) => searchParams.get("only"))).toEqual([null, "z", null]);
  expect(lines()).toEqual(["a"]);
  close();
});

test("details of other approvals are not read again", async () => {
  const { client, asked, close } = await openInbox(() => ({ items: [], nextCursor: null, total: 0 }));
  for (const id of ["mine", "other"]) client.setQueryData(approvalQueries.one(id).queryKey, { id } as never);
  await refreshApprovals(client, new Set(["mine"]));
  const isStale = (id: string) => client.getQueryState(approvalQueries.one(id).queryKey)?.isInvalidated;
  expect([isStale("mine"), isStale("other")]).toEqual([true, false]);
  expect(asked).toHaveLength(1);
  close();
});
