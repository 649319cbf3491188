import { isRequestWord, splitRequest, withoutLiterals } from "./query-words";
import { relatedStems } from "./thesaurus";
import { tokenize } from "./tokenize";

/** Fields of a tool, each with its weight and the part by which a long field counts less (BM25F). */
const fields = [
  { name: "name", weight: 3, shortness: 0.5 },
  { name: "title", weight: 1, shortness: 0.5 },
  { name: "description", weight: 1.2, shortness: 0.6 },
  { name: "parameters", weight: 0.6, shortness: 0.6 },
  { name: "parameterTexts", weight: 0.4, shortness: 0.7 },
  { name: "source", weight: 0.8, shortness: 0 },
] as const;

/** The searchable texts of one tool. */
export type ToolText = Record<(typeof fields)[number]["name"], string>;

/** The term frequency at which a term's score is half of its maximum. */
const saturation = 1.6;
/** Weight of a related word beside the word itself. */
const relatedWeight = 0.45;
/** Weight of words of requests in general. */
const requestWordWeight = 0.5;
/** Part of the scores of a source's best tools that its other tools gain, because tools of one source work together. */
const siblingWeight = 0.06;
const siblingsFrom = 10;
/** Rankings of the request and its parts are fused by reciprocal rank, down to this rank. */
const fusedRanks = 30;
const maxParts = 8;
const maxWords = 48;
/** Tools of a ranking that can still gain from their siblings. */
const candidates = 200;
/** A related word in more tools than this, or than a twentieth of them, distinguishes nothing and is skipped. */
const commonTerm = 400;

const bitsPerField = 4;
const maxPerField = (1 << bitsPerField) - 1;

/** Ids of the entries with a term; for each, the term's count in every field, packed into one number. */
type Posting = { entries: number[]; counts: number[]; saturated?: Saturated };
/** How much of a term's score each entry gets, from 0 to 1; kept until the index changes, because most words are asked for again. */
type Saturated = { version: number; parts: Float32Array };
/** The entries that a word of a request fits, with their scores. */
type WordScores = { ids: number[]; scores: Float64Array };
type Entry = { name: string; source: string; lengths: number[]; isAlive: boolean };
export type Scored = { name: string; score: number };
type Candidate = Scored & { source: string };

/**
 * Inverted index over tools, ranked by BM25F. Replacing or removing a tool only marks its entry; marked entries are
 * dropped together when they are a third of all.
 */
export class ToolIndex {
  #entries: Entry[] = [];
  #ids = new Map<string, number>();
  #postings = new Map<string, Posting>();
  #lengths = fields.map(() => 0);
  /** Scores of the word and of the query in work, and the weight of one occurrence by entry and field. */
  #best = new Float64Array(0);
  #total = new Float64Array(0);
  #norms = new Float32Array(0);
  #isChanged = true;
  #version = 0;

  get size(): number {
    return this.#ids.size;
  }

  names(): IterableIterator<string> {
    return this.#ids.keys();
  }

  /** Adds a tool, or replaces the tool of this name. */
  put(name: string, text: ToolText): void {
    this.remove(name);
    const id = this.#entries.length;
    const counts = new Map<string, number>();
    const lengths = fields.map((field, place) => {
      const terms = tokenize(text[field.name]);
      const shift = place * bitsPerField;
      for (const term of terms) {
        const packed = counts.get(term) ?? 0;
        if (((packed >> shift) & maxPerField) < maxPerField) counts.set(term, packed + (1 << shift));
      }
      return terms.length;
    });
    this.#entries.push({ name, source: text.source, lengths, isAlive: true });
    this.#ids.set(name, id);
    this.#countLengths(lengths, 1);
    for (const [term, packed] of counts) {
      const posting = this.#postings.get(term);
      if (posting) {
        posting.entries.push(id);
        posting.counts.push(packed);
      } else this.#postings.set(term, { entries: [id], counts: [packed] });
    }
  }

  remove(name: string): void {
    const id = this.#ids.get(name);
    const entry = id === undefined ? undefined : this.#entries[id];
    if (!entry) return;
    entry.isAlive = false;
    this.#ids.delete(name);
    this.#countLengths(entry.lengths, -1);
    if (this.#entries.length > 64 && this.#ids.size < (this.#entries.length * 2) / 3) this.#compact();
  }

  /**
   * Returns the tools that fit a request, best first. A request of several sentences is also searched sentence by
   * sentence, so that each of its steps finds its tool.
   */
  search(request: string, limit: number, isIncluded: (name: string) => boolean): Scored[] {
    const query = withoutLiterals(request);
    // A part repeats words of the whole, so each word is scored once.
    const scored = new Map<string, WordScores>();
    const whole = this.#rank(query, isIncluded, scored);
    const parts = splitRequest(query, maxParts).filter((part) => tokenize(part).length >= 2);
    if (parts.length < 2) return whole.slice(0, limit);
    const fused = new Map<string, number>();
    for (const ranking of [whole, ...parts.map((part) => this.#rank(part, isIncluded, scored))]) {
      for (const [rank, { name }] of ranking.slice(0, fusedRanks).entries()) fused.set(name, (fused.get(name) ?? 0) + 1 / (rank + 1));
    }
    return [...fused]
      .map(([name, score]) => ({ name, score }))
      .sort(byScore)
      .slice(0, limit);
  }

  /** Ranks the tools that share a term with the query; only the best `candidates` are returned. */
  #rank(query: string, isIncluded: (name: string) => boolean, scored: Map<string, WordScores>): Scored[] {
    const words = [...new Set(tokenize(query))].slice(0, maxWords);
    this.#prepare();
    const touched: number[] = [];
    for (const word of words) {
      const ofWord = scored.get(word) ?? this.#scoreWord(word);
      scored.set(word, ofWord);
      const { ids, scores } = ofWord;
      for (let at = 0; at < ids.length; at++) {
        const id = ids[at] ?? 0;
        const known = this.#total[id] ?? 0;
        if (known === 0) touched.push(id);
        this.#total[id] = known + (scores[at] ?? 0);
      }
    }
    const best = this.#takeBest(touched, isIncluded);
    for (const id of touched) this.#total[id] = 0;
    return withSiblings(best);
  }

  /** Scores the tools that fit a word or a related one. */
  #scoreWord(word: string): WordScores {
    const weight = weightOf(word);
    const ids: number[] = [];
    this.#scoreTerm(word, weight, ids, this.#entries.length);
    const maxEntries = Math.max(commonTerm, this.size / 20);
    for (const other of relatedStems(word)) this.#scoreTerm(other, weight * relatedWeight * weightOf(other), ids, maxEntries);
    // Of a word and its related words the best match counts, so that a tool gains nothing from saying a thing twice.
    const scores = new Float64Array(ids.length);
    for (const [at, id] of ids.entries()) {
      scores[at] = this.#best[id] ?? 0;
      this.#best[id] = 0;
    }
    return { ids, scores };
  }

  /** Scores the tools that have a term, and keeps the best score of each tool. */
  #scoreTerm(term: string, weight: number, ofWord: number[], maxEntries: number): void {
    const posting = this.#postings.get(term);
    if (!posting || posting.entries.length > maxEntries) return;
    const { entries } = posting;
    const parts = this.#saturatedParts(posting);
    // Entries of removed tools stay in a posting for a while, so it may have more entries than there are tools.
    const found = Math.min(entries.length, this.size);
    const idf = Math.log(1 + (this.size - found + 0.5) / (found + 0.5));
    const most = weight * idf * (saturation + 1);
    const best = this.#best;
    for (let at = 0; at < entries.length; at++) {
      const id = entries[at] ?? 0;
      // The part of a removed tool is 0.
      const score = most * (parts[at] ?? 0);
      const known = best[id] ?? 0;
      if (score <= known) continue;
      if (known === 0) ofWord.push(id);
      best[id] = score;
    }
  }

  #saturatedParts(posting: Posting): Float32Array {
    if (posting.saturated?.version === this.#version) return posting.saturated.parts;
    const { entries, counts } = posting;
    const parts = Float32Array.from(entries, (id, at) => {
      const frequency = this.#frequency(id, counts[at] ?? 0);
      return frequency / (frequency + saturation);
    });
    posting.saturated = { version: this.#version, parts };
    return parts;
  }

  #frequency(id: number, packed: number): number {
    let sum = 0;
    let rest = packed;
    for (let place = id * fields.length; rest !== 0; place++) {
      const count = rest & maxPerField;
      if (count !== 0) sum += count * (this.#norms[place] ?? 0);
      rest >>>= bitsPerField;
    }
    return sum;
  }

  /** Returns the included tools with the highest scores, best first. */
  #takeBest(touched: readonly number[], isIncluded: (name: string) => boolean): Candidate[] {
    const best: Candidate[] = [];
    for (const id of touched) {
      const score = this.#total[id] ?? 0;
      const worst = best.length < candidates ? 0 : (best.at(-1)?.score ?? 0);
      const entry = this.#entries[id];
      if (score < worst || !entry || !isIncluded(entry.name)) continue;
      const candidate = { name: entry.name, source: entry.source, score };
      let [low, high] = [0, best.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        const other = best[middle];
        if (other && byScore(other, candidate) < 0) low = middle + 1;
        else high = middle;
      }
      best.splice(low, 0, candidate);
      if (best.length > candidates) best.pop();
    }
    return best;
  }

  /** Computes the weight of one occurrence in each field of each tool, after the index changed. */
  #prepare(): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    this.#version++;
    const count = this.#entries.length;
    this.#best = new Float64Array(count);
    this.#total = new Float64Array(count);
    this.#norms = new Float32Array(count * fields.length);
    this.#entries.forEach(({ lengths, isAlive }, id) => {
      if (!isAlive) return;
      fields.forEach(({ weight, shortness }, place) => {
        const average = (this.#lengths[place] ?? 0) / this.size || 1;
        this.#norms[id * fields.length + place] = weight / (1 - shortness + (shortness * (lengths[place] ?? 0)) / average);
      });
    });
  }

  #countLengths(lengths: readonly number[], sign: 1 | -1): void {
    this.#isChanged = true;
    lengths.forEach((length, place) => {
      this.#lengths[place] = (this.#lengths[place] ?? 0) + sign * length;
    });
  }

  #compact(): void {
    const newIds = new Map<number, number>();
    this.#entries = this.#entries.filter((entry, id) => {
      if (entry.isAlive) newIds.set(id, newIds.size);
      return entry.isAlive;
    });
    this.#ids = new Map(this.#entries.map(({ name }, id) => [name, id]));
    for (const [term, { entries, counts }] of this.#postings) {
      const kept: Posting = { entries: [], counts: [] };
      entries.forEach((id, at) => {
        const newId = newIds.get(id);
        if (newId === undefined) return;
        kept.entries.push(newId);
        kept.counts.push(counts[at] ?? 0);
      });
      if (kept.entries.length > 0) this.#postings.set(term, kept);
      else this.#postings.delete(term);
    }
  }
}

const weightOf = (term: string): number => (isRequestWord(term) ? requestWordWeight : 1);

const byScore = (a: Scored, b: Scored): number => b.score - a.score || (a.name < b.name ? -1 : 1);

/** Raises the tools of the sources that have the best tools. */
function withSiblings(ranked: readonly Candidate[]): Scored[] {
  const bySource = new Map<string, number>();
  for (const { source, score } of ranked.slice(0, siblingsFrom)) {
    if (source) bySource.set(source, (bySource.get(source) ?? 0) + score);
  }
  return ranked.map(({ name, score, source }) => ({ name, score: score + siblingWeight * (bySource.get(source) ?? 0) })).sort(byScore);
}
