import "server-only";
import { inArray } from "drizzle-orm";
import type { Db } from "@/db/client";
import { memoryFiles } from "@/db/schema";
import { findMatches, snippetOf } from "@/server/retrieval/find-matches";
import { rankRows } from "@/server/retrieval/rank-rows";
import { tokenize } from "@/server/retrieval/tokenize";
import { rankEntries, readEntries } from "./entries";
import { coreFiles } from "./filename";
import { memorySet, wordColumns } from "./files";
import { isVisible, type MemoryScope, type Rememberer } from "./owner";

/** A line of a memory file that fits a request. */
export type FileHit = { filename: string; lineNumber: number; snippet: string; score: number };

const maxFilesRead = 30;
const linesPerFile = 5;
const coreWeight = 1.5;
const rounded = (score: number): number => Math.round(score * 1_000) / 1_000;

/**
 * Finds lines of the files that an agent may read for an owner, best first. Core files weigh more.
 * @returns the best lines of each file, at most five; `totalHits` counts all lines of the 30 best files that fit
 */
export async function searchFiles(
  tx: Db,
  rememberer: Rememberer,
  { query, scope, limit, characters = 80 }: { query: string; scope: MemoryScope | undefined; limit: number; characters?: number },
): Promise<{ totalHits: number; hits: FileHit[] }> {
  const visible = isVisible(memoryFiles, rememberer);
  if (!visible) return { totalHits: 0, hits: [] };
  const ranked = await rankRows(tx, {
    ...wordColumns,
    workspaceId: rememberer.workspaceId,
    sets: [memorySet],
    where: visible,
    request: query,
    limit: maxFilesRead,
  });
  if (ranked.length === 0) return { totalHits: 0, hits: [] };
  const scores = new Map(ranked.map(({ id, score }) => [id, score]));
  const files = await tx
    .select()
    .from(memoryFiles)
    .where(inArray(memoryFiles.id, [...scores.keys()]));
  const terms = new Set(tokenize(query));
  let totalHits = 0;
  const hits = files
    .filter((file) => scope === undefined || file.scope === scope)
    .flatMap(({ id, filename, content }) => {
      const isCore = coreFiles.some((name) => name === filename);
      const lines = linesOf(content, terms, characters);
      totalHits += lines.length;
      return lines.slice(0, linesPerFile).map(({ share, ...line }) => ({
        filename,
        ...line,
        score: rounded((scores.get(id) ?? 0) * share * (isCore ? coreWeight : 1)),
      }));
    })
    .sort((a, b) => b.score - a.score || (a.filename < b.filename ? -1 : 1) || a.lineNumber - b.lineNumber);
  return { totalHits, hits: hits.slice(0, limit) };
}

/** Lines with words of a request; `share` is the part of the words that the line has. */
function linesOf(content: string, terms: ReadonlySet<string>, characters: number) {
  const matches = findMatches(content, terms);
  const byLine = Map.groupBy(matches.places, ({ line }) => line);
  const lines = [...byLine].map(([lineNumber, places]) => {
    const found = new Set(places.map(({ term }) => term));
    return { lineNumber, snippet: snippetOf(content, { terms: found, places }, characters).snippet, share: found.size / terms.size };
  });
  return lines.sort((a, b) => b.share - a.share || a.lineNumber - b.lineNumber);
}

/** A passage of files or an entry, for a look-up over everything that is remembered. */
export type Recalled = { source: string; text: string; score: number };

/** Finds passages of files and entries together, best first; each kind by its own ranking. */
export async function searchEverything(
  tx: Db,
  rememberer: Rememberer,
  query: string,
  limit: number,
  characters: number,
): Promise<Recalled[]> {
  const { hits } = await searchFiles(tx, rememberer, { query, scope: undefined, limit, characters });
  const entries = rankEntries(await readEntries(tx, rememberer), query, limit);
  const found = [
    ...hits.map(({ filename, lineNumber, snippet, score }) => ({ source: `${filename}:${lineNumber}`, text: snippet, score })),
    ...entries.map(({ entry: { type, key, content }, score }) => ({
      source: `${type}/${key}`,
      text: content.slice(0, characters).toWellFormed(),
      score: rounded(score),
    })),
  ];
  return found.sort((a, b) => b.score - a.score || (a.source < b.source ? -1 : 1)).slice(0, limit);
}
