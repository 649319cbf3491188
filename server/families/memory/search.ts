import "server-only";
import { inArray } from "drizzle-orm";
import type { Db } from "@/db/client";
import { memoryFiles } from "@/db/schema";
import { findMatches, snippetOf } from "@/server/retrieval/find-matches";
import { rankRows } from "@/server/retrieval/rank-rows";
import { tokenize } from "@/server/retrieval/tokenize";
import { readEntries } from "./entries";
import { readFacts, trustNow } from "./facts";
import { coreFiles } from "./filename";
import { type FileRow, memorySet, wordColumns } from "./files";
import { isVisible, type MemoryScope, type MemoryView } from "./owner";
import { rankTexts } from "./rank-texts";

/** A line of a memory file that fits a request; `words` are the stems of the request that it has. */
export type FileHit = { filename: string; lineNumber: number; snippet: string; score: number };
type FoundLine = FileHit & { file: FileRow; words: string[] };

const maxFilesRead = 30;
const linesPerFile = 5;
const coreWeight = 1.5;
const rounded = (score: number): number => Math.round(score * 1_000) / 1_000;

type FileSearch = { query: string; scope: MemoryScope | undefined; limit: number; characters?: number };

/**
 * Finds lines of the files that an agent may read for an owner, best first. Core files weigh more.
 * @returns the best lines of each file, at most five; `totalHits` counts all lines of the 30 best files that fit
 */
export async function searchFiles(tx: Db, view: MemoryView, search: FileSearch): Promise<{ totalHits: number; hits: FileHit[] }> {
  const { totalHits, hits } = await findLines(tx, view, search);
  return { totalHits, hits: hits.map(({ filename, lineNumber, snippet, score }) => ({ filename, lineNumber, snippet, score })) };
}

async function findLines(
  tx: Db,
  view: MemoryView,
  { query, scope, limit, characters = 80 }: FileSearch,
): Promise<{ totalHits: number; hits: FoundLine[] }> {
  const where = isVisible(memoryFiles, view);
  if (!where) return { totalHits: 0, hits: [] };
  const { workspaceId } = view;
  const ranked = await rankRows(tx, { ...wordColumns, workspaceId, sets: [memorySet], where, request: query, limit: maxFilesRead });
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
    .flatMap((file) => {
      const { id, filename, content } = file;
      const isCore = coreFiles.some((name) => name === filename);
      const lines = linesOf(content, terms, characters);
      totalHits += lines.length;
      return lines.slice(0, linesPerFile).map(({ share, ...line }) => ({
        file,
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
    const { snippet } = snippetOf(content, { terms: found, places }, characters);
    return { lineNumber, snippet, words: [...found].sort(), share: found.size / terms.size };
  });
  return lines.sort((a, b) => b.share - a.share || a.lineNumber - b.lineNumber);
}

/** A line of a file, an entry or a fact, for a look-up over everything that is remembered. */
export type Recalled = {
  kind: "file" | "entry" | "fact";
  id: string;
  source: string;
  scope: MemoryScope;
  ownerKey: string;
  text: string;
  score: number;
  words: string[];
  /** Of a fact. */
  fact: { isConfirmed: boolean; trust: number } | null;
  matchedBy: ("words" | "meaning")[];
};
type EverythingSearch = { query: string; limit: number; characters: number };

/** Finds lines of files, entries and facts together, best first; each kind by its own ranking. */
export async function searchEverything(tx: Db, view: MemoryView, { query, limit, characters }: EverythingSearch): Promise<Recalled[]> {
  const terms = new Set(tokenize(query));
  const cut = (text: string) => text.slice(0, characters).toWellFormed();
  const wordsIn = (text: string) => [...new Set(tokenize(text))].filter((word) => terms.has(word)).sort();
  const { hits } = await findLines(tx, view, { query, scope: undefined, limit, characters });
  const entries = rankTexts(await readEntries(tx, view), ({ key, content }) => [key, content], query, limit);
  const facts = rankTexts(await readFacts(tx, view), ({ subject, statement }) => [subject, statement], query, limit);
  const found = [
    ...hits.map(({ file: { id, scope, ownerKey }, filename, lineNumber, snippet, score, words }) => ({
      ...{ kind: "file" as const, id, scope, ownerKey, score, words, fact: null },
      source: `${filename}:${lineNumber}`,
      text: snippet,
    })),
    ...entries.map(({ row, score }) => ({
      ...{ kind: "entry" as const, id: row.id, scope: row.scope, ownerKey: row.ownerKey, fact: null },
      source: `${row.type}/${row.key}`,
      text: cut(row.content),
      score: rounded(score),
      words: wordsIn(`${row.key} ${row.content}`),
    })),
    ...facts.map(({ row, score }) => ({
      ...{ kind: "fact" as const, id: row.id, scope: row.scope, ownerKey: row.ownerKey },
      source: row.subject,
      text: cut(row.statement),
      score: rounded(score * trustNow(row)),
      fact: { isConfirmed: row.confirmedAt !== null, trust: trustNow(row) },
      words: wordsIn(`${row.subject} ${row.statement}`),
    })),
  ];
  return found
    .sort((a, b) => b.score - a.score || (a.source < b.source ? -1 : 1))
    .slice(0, limit)
    .map((hit) => ({ ...hit, matchedBy: ["words"] }));
}
