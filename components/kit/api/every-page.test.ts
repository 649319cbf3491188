import { expect, test } from "vitest";
import { everyPage } from "./every-page";

test("a list of more than one page is read to its end", async () => {
  const aliases = Array.from({ length: 450 }, (_, place) => `server-${place}`);
  const asked: (string | undefined)[] = [];
  const read = async ({ limit, cursor }: { limit: number; cursor?: string }) => {
    asked.push(cursor);
    const start = Number(cursor ?? 0);
    const end = start + limit;
    return { items: aliases.slice(start, end), nextCursor: end < aliases.length ? String(end) : null };
  };
  expect(await everyPage(read)).toEqual(aliases);
  expect(asked).toEqual([undefined, "200", "400"]);
});
