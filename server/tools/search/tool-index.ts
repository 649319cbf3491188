import { byScore, FieldIndex, type Scored, type ScoredWords } from "@/server/retrieval/field-index";
import { fuseRankings } from "@/server/retrieval/fuse-rankings";
import { tokenize } from "@/server/retrieval/tokenize";
import { englishTerms } from "./foreign-words";
import { isRequestWord, splitRequest, withoutLiterals } from "./query-words";
import { relatedStems } from "./thesaurus";

/** Fields of a tool with their weights. */
const fields = [
  { name: "name", weight: 3, shortness: 0.5 },
  { name: "title", weight: 1, shortness: 0.5 },
  { name: "description", weight: 1.2, shortness: 0.6 },
  { name: "parameters", weight: 0.6, shortness: 0.6 },
  { name: "parameterTexts", weight: 0.4, shortness: 0.7 },
  { name: "source", weight: 0.8, shortness: 0 },
] as const;

type FieldName = (typeof fields)[number]["name"];

/** The searchable texts of one tool. */
export type ToolText = Record<FieldName, string>;

/** Weight of a related word beside the word itself. */
const relatedWeight = 0.45;
/** Weight of the English word for a word of another language. */
const translatedWeight = 0.9;
/** Part by which a tool gains when the request names its source. */
const namedSourceBonus = 0.5;
/** Part of the results that one source may take before others had a place, unless the request names it. */
const shareOfSource = 0.8;
/** Part of a tool's score that a tool of another source needs to take its place. */
const nearlyAsGood = 0.9;
/** Weight of words of requests in general. */
const requestWordWeight = 0.5;
/** Part of the scores of a source's best tools that its other tools gain, because tools of one source work together. */
const siblingWeight = 0.06;
const siblingsFrom = 10;
/** Rankings of the request and its parts are fused by reciprocal rank, down to this rank. */
const fusedRanks = 30;
const maxParts = 8;

/** Index of a workspace's tools, by their names. */
export class ToolIndex {
  #index = new FieldIndex<FieldName>({
    fields,
    related: (term) => {
      const related = new Map<string, number>();
      for (const other of relatedStems(term)) related.set(other, relatedWeight);
      for (const other of englishTerms(term)) related.set(other, translatedWeight);
      return related;
    },
    weightOf: (term) => (isRequestWord(term) ? requestWordWeight : 1),
  });
  #sources = new Map<string, string>();
  #sourceTerms = new Map<string, string[]>();

  get size(): number {
    return this.#index.size;
  }

  /** Adds a tool, or replaces the tool of this name. */
  put(name: string, text: ToolText): void {
    this.#index.put(name, text);
    this.#sources.set(name, text.source);
    if (!this.#sourceTerms.has(text.source)) this.#sourceTerms.set(text.source, tokenize(text.source));
  }

  remove(name: string): void {
    this.#index.remove(name);
    this.#sources.delete(name);
  }

  /**
   * Returns the tools that fit a request, best first. A request of several sentences is also searched sentence by
   * sentence, so that each of its steps finds its tool.
   */
  search(request: string, limit: number, isIncluded: (name: string) => boolean): Scored[] {
    const query = withoutLiterals(request);
    const scored: ScoredWords = new Map();
    const asked = new Set(tokenize(query));
    const rank = (text: string) => this.#withSiblings(this.#withNamedSources(this.#index.rank(text, isIncluded, scored), asked));
    const whole = rank(query);
    const parts = splitRequest(query, maxParts).filter((part) => tokenize(part).length >= 2);
    if (parts.length < 2) return this.#spread(whole, asked, limit);
    const rankings = [whole, ...parts.map(rank)].map((ranking) => ({ names: ranking.slice(0, fusedRanks).map(({ name }) => name) }));
    return this.#spread(fuseRankings(rankings, 0), asked, limit);
  }

  /** Raises the tools of the sources that the request names. */
  #withNamedSources(ranked: readonly Scored[], asked: ReadonlySet<string>): Scored[] {
    const raised = ranked.map(({ name, score }) => ({ name, score: this.#isNamed(name, asked) ? score * (1 + namedSourceBonus) : score }));
    return raised.sort(byScore);
  }

  #isNamed(name: string, asked: ReadonlySet<string>): boolean {
    return this.#sourceTerms.get(this.#sources.get(name) ?? "")?.some((term) => asked.has(term)) === true;
  }

  /** Takes the best results. A source that has its part gives way to others, as long as theirs are nearly as good. */
  #spread(ranked: readonly Scored[], asked: ReadonlySet<string>, limit: number): Scored[] {
    const most = Math.ceil(limit * shareOfSource);
    const bySource = new Map<string, number>();
    const taken: Scored[] = [];
    const held: Scored[] = [];
    for (const scored of ranked) {
      while (held[0] && scored.score < held[0].score * nearlyAsGood) taken.push(...held.splice(0, 1));
      if (taken.length >= limit) break;
      const source = this.#sources.get(scored.name) ?? "";
      const count = (bySource.get(source) ?? 0) + 1;
      bySource.set(source, count);
      (source === "" || count <= most || this.#isNamed(scored.name, asked) ? taken : held).push(scored);
    }
    return [...taken, ...held].slice(0, limit);
  }

  /** Raises the tools of the sources that have the best tools. */
  #withSiblings(ranked: readonly Scored[]): Scored[] {
    const bySource = new Map<string, number>();
    for (const { name, score } of ranked.slice(0, siblingsFrom)) {
      const source = this.#sources.get(name);
      if (source) bySource.set(source, (bySource.get(source) ?? 0) + score);
    }
    return ranked
      .map(({ name, score }) => ({ name, score: score + siblingWeight * (bySource.get(this.#sources.get(name) ?? "") ?? 0) }))
      .sort(byScore);
  }
}
