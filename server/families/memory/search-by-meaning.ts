import "server-only";
import { inArray } from "drizzle-orm";
import type { MemorySearchMode } from "@/contracts/memory/memory-upkeep";
import type { Db } from "@/db/client";
import { memoryEntries, memoryFacts, memoryFiles } from "@/db/schema";
import { AppError } from "@/server/platform/errors";
import { fuseRankings } from "@/server/retrieval/fuse-rankings";
import { trustNow } from "./facts";
import { findEmbeddingModel, findNear, type NearText } from "./meaning";
import type { MemoryView } from "./owner";
import { type FileHit, type Recalled, searchEverything, searchFiles } from "./search";

type Search = { query: string; limit: number; characters: number; mode?: MemorySearchMode };
/** `mode` is the ranking that was used; `note` says what the meaning could not be compared with. */
export type RecalledByMode = { items: Recalled[]; mode: Exclude<MemorySearchMode, "auto">; note: string | null };

/** Hits by words that are joined with those by meaning. */
const joinedHits = 40;
const lineCharacters = 80;
const rounded = (score: number): number => Math.round(score * 1_000) / 1_000;

/**
 * Finds files, entries and facts by words, by meaning or by both, best first. `auto` is both where the agent has a model for embeddings.
 * @throws AppError `unavailable` for a meaning that cannot be compared
 */
export async function recallByMode(tx: Db, view: MemoryView, { mode = "auto", ...search }: Search): Promise<RecalledByMode> {
  const model = mode === "fts" ? null : await findEmbeddingModel(tx, view.agentId);
  if (!model) {
    if (mode === "semantic" || mode === "hybrid") {
      throw new AppError("unavailable", `mode ${mode} needs a model for embeddings, and none is set up. Use auto or fts.`);
    }
    return { items: await searchEverything(tx, view, search), mode: "fts", note: null };
  }
  const { texts, note } = await findNear(tx, view, model, search.query);
  if (mode === "semantic" && texts.length === 0 && note !== null) throw new AppError("unavailable", note);
  const near = await describeNear(tx, texts, search.characters);
  if (mode === "semantic") return { items: near.slice(0, search.limit), mode, note };
  const byWords = await searchEverything(tx, view, { ...search, limit: Math.max(search.limit, joinedHits) });
  return { items: joined(byWords, near, texts).slice(0, search.limit), mode: "hybrid", note };
}

type FileLines = { totalHits: number; hits: FileHit[] };

/** Finds lines of files by words and, where the agent has a model for embeddings, by meaning. A model that does not answer leaves the words. */
export async function searchLines(tx: Db, view: MemoryView, search: Parameters<typeof searchFiles>[2]): Promise<FileLines> {
  const model = await findEmbeddingModel(tx, view.agentId);
  if (!model) return searchFiles(tx, view, search);
  const { query, scope, limit } = search;
  const said = await searchFiles(tx, view, { ...search, limit: Math.max(limit, joinedHits) });
  const { texts } = await findNear(tx, view, model, query);
  const near = (await describeNear(tx, texts, lineCharacters)).filter(
    (hit) => hit.kind === "file" && (scope === undefined || hit.scope === scope),
  );
  const byName = (hit: FileHit): Recalled => ({
    ...{ kind: "file", id: hit.filename, source: `${hit.filename}:${hit.lineNumber}`, text: hit.snippet, score: hit.score, fact: null },
    ...{ scope: "PERSONAL", ownerKey: "", words: [], matchedBy: ["words"] },
  });
  const named = near.map((hit) => ({ ...hit, id: hit.source.slice(0, hit.source.lastIndexOf(":")) }));
  const placed = near.flatMap((hit, at) => {
    const text = texts.find(({ id, line }) => id === hit.id && line === lineOf(hit));
    return text ? [{ ...text, id: named[at]?.id ?? "" }] : [];
  });
  const hits = joined(said.hits.map(byName), named, placed);
  const added = hits.filter(({ matchedBy }) => !matchedBy.includes("words")).length;
  return {
    totalHits: said.totalHits + added,
    hits: hits.slice(0, limit).map((hit) => ({ filename: hit.id, lineNumber: lineOf(hit), snippet: hit.text, score: hit.score })),
  };
}

/** Joins both rankings by reciprocal rank. A passage of a file and a line of it are one hit, which shows the line. */
function joined(byWords: readonly Recalled[], near: readonly Recalled[], texts: readonly NearText[]): Recalled[] {
  const holds = (hit: Recalled, { id, line, lastLine }: NearText) =>
    hit.id === id && (hit.kind !== "file" || (lineOf(hit) >= line && lineOf(hit) <= lastLine));
  const lineHits = near.map((hit, at) => {
    const text = texts[at];
    return (text && byWords.find((one) => holds(one, text))) ?? hit;
  });
  const keyOf = ({ id, source }: Recalled) => `${id} ${source}`;
  const [said, meant] = [new Set(byWords.map(keyOf)), new Set(lineHits.map(keyOf))];
  const hits = new Map([...lineHits, ...byWords].map((hit) => [keyOf(hit), hit]));
  return fuseRankings([{ names: byWords.map(keyOf) }, { names: lineHits.map(keyOf) }]).flatMap(({ name, score }) => {
    const hit = hits.get(name);
    const matchedBy = [...(said.has(name) ? (["words"] as const) : []), ...(meant.has(name) ? (["meaning"] as const) : [])];
    return hit ? [{ ...hit, matchedBy, score: rounded(score) }] : [];
  });
}

const lineOf = ({ source }: Recalled): number => Number(source.slice(source.lastIndexOf(":") + 1));

/** Describes texts that mean something like a request, in their order. */
async function describeNear(tx: Db, texts: readonly NearText[], characters: number): Promise<Recalled[]> {
  const ids = texts.map(({ id }) => id);
  if (ids.length === 0) return [];
  const files = await tx.select().from(memoryFiles).where(inArray(memoryFiles.id, ids));
  const entries = await tx.select().from(memoryEntries).where(inArray(memoryEntries.id, ids));
  const facts = await tx.select().from(memoryFacts).where(inArray(memoryFacts.id, ids));
  const cut = (text: string) => text.trim().slice(0, characters).toWellFormed();
  return texts.flatMap(({ id, line, text, similarity }): Recalled[] => {
    const shared = { id, score: rounded(similarity), words: [], matchedBy: ["meaning" as const] };
    const file = files.find((row) => row.id === id);
    if (file) {
      const { scope, ownerKey, filename } = file;
      return [{ ...shared, kind: "file", scope, ownerKey, source: `${filename}:${line}`, text: cut(text), fact: null }];
    }
    const entry = entries.find((row) => row.id === id);
    if (entry) {
      const { scope, ownerKey, type, key, content } = entry;
      return [{ ...shared, kind: "entry", scope, ownerKey, source: `${type}/${key}`, text: cut(content), fact: null }];
    }
    const fact = facts.find((row) => row.id === id);
    if (!fact) return [];
    const { scope, ownerKey, subject, statement, confirmedAt } = fact;
    const trust = { isConfirmed: confirmedAt !== null, trust: trustNow(fact) };
    return [{ ...shared, kind: "fact", scope, ownerKey, source: subject, text: cut(statement), fact: trust }];
  });
}
