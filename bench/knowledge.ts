import { readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "drizzle-orm";
import { index, integer, pgTable, real, text, uuid } from "drizzle-orm/pg-core";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { z } from "zod";
import { bits, id, wordVector } from "../db/columns";
import { startEmbeddedPostgres } from "../db/embedded";
import { migrateDatabase } from "../db/migrate";
import * as schema from "../db/schema";
import { rankVectors, toUnit } from "../server/retrieval/embeddings";
import { rankRows } from "../server/retrieval/rank-rows";
import { countRows, toStoredWords } from "../server/retrieval/stored-words";
import { type Line, milliseconds, rate } from "./report";
import { scaled } from "./scale";
import { percentile } from "./statistics";
import { withFolder } from "./with-folder";

const Document = z.object({ id: z.string(), title: z.string(), text: z.string() });
const Question = z.object({ text: z.string(), relevant: z.array(z.string()) });

/** Rows as a family keeps them: its own columns, and those of the words. */
const passages = pgTable(
  "bench_passages",
  {
    id: id(),
    workspaceId: uuid().notNull(),
    base: text().notNull(),
    name: text().notNull(),
    words: wordVector().notNull(),
    wordCount: integer().notNull(),
  },
  (table) => [index().using("gin", table.words)],
);
const columns = { table: passages, id: passages.id, words: passages.words, wordCount: passages.wordCount };

/** Vectors as knowledge keeps them, at the size of a common small model. */
const vectors = pgTable("bench_vectors", { id: id(), signs: bits().notNull(), vector: real().array().notNull() });
const dimensions = 384;

type Open = Awaited<ReturnType<typeof open>>;

async function open(folder: string) {
  const server = await startEmbeddedPostgres(folder);
  await migrateDatabase(server.url, path.resolve(import.meta.dirname, "../drizzle"));
  const pool = postgres(server.url, { max: 2, onnotice: () => {} });
  const db = drizzle(pool, { schema, casing: "snake_case" });
  await db.execute(sql`create table bench_passages (id uuid primary key, workspace_id uuid not null, base text not null, name text not null,
    words tsvector not null, word_count int not null)`);
  await db.execute(sql`create index on bench_passages using gin (words)`);
  const [workspace] = await db.insert(schema.workspaces).values({ slug: "bench", name: "Bench" }).returning();
  if (!workspace) throw new Error("No workspace was made");
  const stop = async () => {
    await pool.end();
    await server.stop();
  };
  return { db, workspaceId: workspace.id, stop };
}

type Text = { name: string; title: string; text: string };
const batchRows = 200;

/** Stores texts as a family does: words and statistics in one transaction a batch. */
async function ingest({ db, workspaceId }: Open, base: string, texts: readonly Text[]): Promise<void> {
  for (let from = 0; from < texts.length; from += batchRows) {
    await db.transaction(async (tx) => {
      const rows = texts
        .slice(from, from + batchRows)
        .map(({ name, title, text }) => ({ workspaceId, base, name, ...toStoredWords(text, title) }));
      const added = await tx.insert(passages).values(rows).returning({ id: passages.id });
      const ids = sql.param(added.map(({ id }) => id));
      await countRows(tx, { workspaceId, set: base }, columns, sql`${passages.id} = any(${ids}::uuid[])`, 1);
    });
  }
}

async function search({ db, workspaceId }: Open, base: string, request: string): Promise<string[]> {
  const where = sql`${passages.workspaceId} = ${workspaceId} and ${passages.base} = ${base}`;
  const found = await rankRows(db, { ...columns, workspaceId, sets: [base], where, request, limit: 10 });
  const ids = sql.param(found.map(({ id }) => id));
  const names = await db.select({ id: passages.id, name: passages.name }).from(passages).where(sql`${passages.id} = any(${ids}::uuid[])`);
  const byId = new Map(names.map(({ id, name }) => [id, name]));
  return found.flatMap(({ id }) => byId.get(id) ?? []);
}

/** Normalised discounted gain of the first ten, for documents that are relevant or not. */
function gain(found: readonly string[], relevant: ReadonlySet<string>): number {
  const discount = (rank: number) => 1 / Math.log2(rank + 2);
  const ours = found.reduce((sum, name, rank) => sum + (relevant.has(name) ? discount(rank) : 0), 0);
  const best = Array.from({ length: Math.min(10, relevant.size) }, (_, rank) => discount(rank)).reduce((sum, one) => sum + one, 0);
  return ours / best;
}

function readData() {
  const folder = process.env.RETRIEVAL_DATA;
  if (!folder) throw new Error("Set RETRIEVAL_DATA to the folder with the documents and questions that bench/README.md names");
  const lines = (file: string): unknown[] =>
    readFileSync(path.join(folder, file), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const texts = lines("cranfield-documents.jsonl").map((line): Text => {
    const { id, title, text } = Document.parse(line);
    // The documents repeat their title; a chunk has its headings beside its text.
    return { name: id, title, text: text.startsWith(title) ? text.slice(title.length) : text };
  });
  return { texts, questions: lines("cranfield-queries.jsonl").map((line) => Question.parse(line)) };
}

/** Measures the finding of stored passages, its quality and its speed, without embeddings, by the code that families use. */
export const knowledge = (): Promise<Line[]> =>
  withFolder(async (folder) => {
    const { texts, questions } = readData();
    const opened = await open(folder);
    try {
      await ingest(opened, "cranfield", texts);
      let gained = 0;
      let recalled = 0;
      for (const { text, relevant } of questions) {
        const found = await search(opened, "cranfield", text);
        const wanted = new Set(relevant);
        gained += gain(found, wanted) / questions.length;
        recalled += found.filter((name) => wanted.has(name)).length / wanted.size / questions.length;
      }
      const of = `Cranfield, ${texts.length} documents, ${questions.length} questions`;
      return [
        { measured: `nDCG@10, ${of}`, ours: gained.toFixed(3), target: ">= 0.40", isMet: gained >= 0.4 },
        { measured: `Recall@10, ${of}`, ours: recalled.toFixed(3) },
        ...(await sizeLines(opened, texts, questions)),
        await meaningLine(opened),
      ];
    } finally {
      await opened.stop();
    }
  });

/** Passages of the set's own sentences, mixed anew, so that words are as frequent as they are in the set. */
function mixed(texts: readonly Text[], count: number): Text[] {
  const sentences = texts.flatMap(({ text }) => text.split(" .").filter((sentence) => sentence.trim().length > 20));
  let state = 1;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return sentences[state % sentences.length] ?? "";
  };
  return Array.from({ length: count }, (_, at) => ({
    name: `p${at}`,
    title: texts[at % texts.length]?.title ?? "",
    text: `${next()}. ${next()}. ${next()}.`,
  }));
}

async function sizeLines(opened: Open, texts: readonly Text[], questions: readonly { text: string }[]): Promise<Line[]> {
  const many = mixed(texts, scaled(100_000, 2_000));
  const began = performance.now();
  await ingest(opened, "many", many);
  const perSecond = many.length / ((performance.now() - began) / 1_000);
  await opened.db.execute(sql`vacuum analyze bench_passages`);
  const times: number[] = [];
  for (const { text } of questions) {
    const from = performance.now();
    await search(opened, "many", text);
    times.push(performance.now() - from);
  }
  const words: number[] = [];
  for (const { text } of questions) {
    const from = performance.now();
    await search(opened, "many", text.split(" ").slice(-4).join(" "));
    words.push(performance.now() - from);
  }
  const of = `${many.length} passages`;
  const [p99, short] = [percentile(times, 0.99), percentile(words, 0.99)];
  return [
    { measured: `ingest, ${of}`, ours: rate(perSecond), target: ">= 500 /s", isMet: perSecond >= 500 },
    { measured: `search by a few words, ${of}, p99`, ours: milliseconds(short), target: "<= 50 ms", isMet: short <= 50 },
    { measured: `search by a question, ${of}, p50`, ours: milliseconds(percentile(times, 0.5)) },
    { measured: `search by a question, ${of}, p99`, ours: milliseconds(p99), target: "<= 50 ms", isMet: p99 <= 50 },
  ];
}

/** Searches vectors of chance, which are harder to tell apart by their signs than those of texts. */
async function meaningLine({ db }: Open): Promise<Line> {
  const count = scaled(100_000, 2_000);
  await db.execute(sql`create table bench_vectors (id uuid primary key, signs varbit not null, vector real[] not null)`);
  await db.execute(sql`
    insert into bench_vectors select gen_random_uuid(), string_agg(case when value > 0 then '1' else '0' end, '' order by place)::varbit,
      array_agg(value::real order by place)
    from (select row, place, random() - 0.5 + row * 0 as value from generate_series(1, ${count}::int) row, generate_series(1, ${dimensions}::int) place) made
    group by row`);
  await db.execute(sql`vacuum analyze bench_vectors`);
  const times: number[] = [];
  for (let round = 0; round < 100; round++) {
    const request = toUnit(Array.from({ length: dimensions }, () => Math.random() - 0.5)) ?? [];
    const from = performance.now();
    await rankVectors(db, {
      table: vectors,
      id: vectors.id,
      signs: vectors.signs,
      vector: vectors.vector,
      where: sql`true`,
      request,
      limit: 40,
    });
    times.push(performance.now() - from);
  }
  const p99 = percentile(times, 0.99);
  return {
    measured: `search by meaning, ${count} vectors of ${dimensions}, p99`,
    ours: milliseconds(p99),
    target: "<= 50 ms",
    isMet: p99 <= 50,
  };
}
