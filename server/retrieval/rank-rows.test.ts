import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { beforeAll, describe, expect, test } from "vitest";
import { id, wordVector } from "@/db/columns";
import { searchedSets, searchedWords } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { rankRows } from "./rank-rows";
import { countRows, toStoredWords } from "./stored-words";

useTestDatabase();

const notes = pgTable(
  "test_notes",
  {
    id: id(),
    workspaceId: uuid().notNull(),
    owner: text().notNull(),
    name: text().notNull(),
    words: wordVector().notNull(),
    wordCount: integer().notNull(),
  },
  (table) => [index().using("gin", table.words)],
);
const columns = { table: notes, id: notes.id, words: notes.words, wordCount: notes.wordCount };
let workspaceId = "";

beforeAll(async () => {
  workspaceId = (await buildWorkspace()).workspace.id;
  await db().execute(sql`create table test_notes (id uuid primary key, workspace_id uuid not null, owner text not null, name text not null,
    words tsvector not null, word_count int not null)`);
});

async function add(set: string, owner: string, name: string, body: string, heading = ""): Promise<string> {
  return db().transaction(async (tx) => {
    const [row] = await tx
      .insert(notes)
      .values({ workspaceId, owner, name, ...toStoredWords(body, heading) })
      .returning();
    await countRows(tx, { workspaceId, set }, columns, sql`${notes.id} = ${row?.id}`, 1);
    return row?.id ?? "";
  });
}

async function find(set: string, request: string, owner = "me") {
  const where = sql`${notes.workspaceId} = ${workspaceId} and ${notes.owner} = ${owner}`;
  const ranked = await rankRows(db(), { ...columns, workspaceId, sets: [set], where, request, limit: 10 });
  const names = new Map((await db().select().from(notes)).map(({ id, name }) => [id, name]));
  return ranked.map(({ id, score, terms }) => ({ name: names.get(id), score, terms }));
}

describe("rows are ranked", () => {
  test("by rare words before common ones, with the words that matched", async () => {
    await add("rank", "me", "both", "the invoice of the zeppelin");
    await add("rank", "me", "rare", "a zeppelin over the sea");
    for (let at = 0; at < 8; at++) await add("rank", "me", `common${at}`, "another invoice of the year");
    const found = await find("rank", "invoices zeppelin");
    expect(found.slice(0, 2).map(({ name }) => name)).toEqual(["both", "rare"]);
    expect(found[0]?.terms.sort()).toEqual(["invoic", "zeppelin"]);
    expect(found[1]?.terms).toEqual(["zeppelin"]);
    expect(await find("rank", "xylophone")).toEqual([]);
    expect(await find("rank", "")).toEqual([]);
  });

  test("with words of headings above words of the text", async () => {
    await add("heading", "me", "in text", "walrus and some other words");
    await add("heading", "me", "in heading", "some more of other words", "walrus");
    expect((await find("heading", "walrus")).map(({ name }) => name)).toEqual(["in heading", "in text"]);
  });

  test("only within the caller's filter", async () => {
    await add("filter", "you", "yours", "secret plans of a submarine");
    expect(await find("filter", "submarine")).toEqual([]);
    expect((await find("filter", "submarine", "you")).map(({ name }) => name)).toEqual(["yours"]);
  });

  test("in Chinese, and whatever characters the words have", async () => {
    await add("odd", "me", "chinese", "今天的天气预报");
    await add("odd", "me", "odd", `it's a "quote" \\ back'slash & (a | b) ! <-> :*A`);
    expect((await find("odd", "天气")).map(({ name }) => name)).toEqual(["chinese"]);
    expect((await find("odd", "back'slash & quote | :*")).map(({ name }) => name)).toEqual(["odd"]);
  });
});

test("statistics follow rows that go, and rows counted at the same time", async () => {
  const ids = await Promise.all(
    Array.from({ length: 12 }, (_, at) => add("count", "me", `n${at}`, `pelican ${at % 2 ? "albatross heron" : "heron albatross"}`)),
  );
  const of = (word: string) =>
    sql`${searchedWords.workspaceId} = ${workspaceId} and ${searchedWords.set} = 'count' and ${searchedWords.word} = ${word}`;
  const rowsWith = async (word: string) => (await db().select().from(searchedWords).where(of(word)))[0]?.rows;
  expect(await rowsWith("pelican")).toBe(12);
  const gone = sql`${notes.id} = any(${sql.param(ids.slice(0, 5))}::uuid[])`;
  await db().transaction(async (tx) => {
    await countRows(tx, { workspaceId, set: "count" }, columns, gone, -1);
    await tx.delete(notes).where(gone);
  });
  expect(await rowsWith("pelican")).toBe(7);
  const [total] = await db()
    .select()
    .from(searchedSets)
    .where(sql`${searchedSets.workspaceId} = ${workspaceId} and ${searchedSets.set} = 'count'`);
  expect(total).toMatchObject({ rows: 7, words: 21 });
});
