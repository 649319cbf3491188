import "server-only";
import { inArray, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { knowledgeChunks } from "@/db/schema";
import { chunkText } from "@/server/retrieval/chunk-text";
import { countRows, toStoredWords } from "@/server/retrieval/stored-words";

export const chunkColumns = {
  table: knowledgeChunks,
  id: knowledgeChunks.id,
  words: knowledgeChunks.words,
  wordCount: knowledgeChunks.wordCount,
};
/** The set in which the words of a base's chunks are counted. */
export const chunkSet = (baseId: string): string => `knowledge:${baseId}`;

type Place = { workspaceId: string; baseId: string; sourceId: string };
/** A stretch of a source's text that can be opened; `page` is null for a document without pages. */
export type Part = { number: number; page: number | null; text: string };
type ChunkRow = typeof knowledgeChunks.$inferInsert;

const rowsAtOnce = 250;
/** Characters of a stretch of a document without pages. */
const partCharacters = 16_000;
/** A token is about four characters of English. */
const charactersPerToken = 4;

/** Splits the text of a document without pages into stretches at its paragraphs, with their chunks. */
export function splitText(text: string): { parts: Part[]; chunks: PartChunk[] } {
  const parts: Part[] = [];
  const chunks: PartChunk[] = [];
  const all = chunkText(text.replaceAll("\f", "\n"));
  let from = 0;
  let open: (typeof all)[number][] = [];
  const close = (end: number) => {
    const number = parts.length + 1;
    parts.push({ number, page: null, text: text.slice(from, end).trimEnd() });
    for (const chunk of open) {
      chunks.push({ ...chunk, part: number, page: null, start: chunk.start - from, end: Math.min(chunk.end, end) - from });
    }
    [from, open] = [end, []];
  };
  for (const chunk of all) {
    if (open.length > 0 && chunk.end - from > partCharacters) close(lineStart(text, chunk.start));
    open.push(chunk);
  }
  if (open.length > 0 || text.trim() !== "") close(text.length);
  return { parts, chunks };
}

const lineStart = (text: string, at: number): number => Math.max(0, text.lastIndexOf("\n", at - 1) + 1);

export type PartChunk = Omit<ReturnType<typeof chunkText>[number], "page"> & { part: number; page: number | null };

/** Splits pages into chunks; none crosses a page. */
export const splitPages = (parts: readonly Part[]): PartChunk[] =>
  parts.flatMap(({ number, page, text }) => chunkText(text).map((chunk) => ({ ...chunk, part: number, page })));

/** Inserts chunks with their words, and counts them. */
export async function insertChunks(tx: Db, place: Place, name: string, chunks: readonly PartChunk[]): Promise<void> {
  for (let from = 0; from < chunks.length; from += rowsAtOnce) {
    const rows = chunks.slice(from, from + rowsAtOnce).map(
      ({ text, headings, part, page, start, end, line }): ChunkRow => ({
        ...{ ...place, text, headings, part, page, start, end, line },
        tokens: Math.ceil(text.length / charactersPerToken),
        ...toStoredWords(text, [name, ...headings].join("\n")),
      }),
    );
    const added = await tx.insert(knowledgeChunks).values(rows).returning({ id: knowledgeChunks.id });
    const ids = sql.param(added.map(({ id }) => id));
    await countRows(
      tx,
      { workspaceId: place.workspaceId, set: chunkSet(place.baseId) },
      chunkColumns,
      sql`${knowledgeChunks.id} = any(${ids}::uuid[])`,
      1,
    );
  }
}

/** Removes the chunks of a source, and counts them out. */
export async function removeChunks(tx: Db, { workspaceId, baseId, sourceId }: Place): Promise<void> {
  const isOf = sql`${knowledgeChunks.sourceId} = ${sourceId}`;
  await countRows(tx, { workspaceId, set: chunkSet(baseId) }, chunkColumns, isOf, -1);
  await tx.delete(knowledgeChunks).where(isOf);
}

/** Reads chunks by their ids. */
export const readChunks = (tx: Db, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : tx
        .select()
        .from(knowledgeChunks)
        .where(inArray(knowledgeChunks.id, [...ids]));
