import { tokenize } from "./tokenize";

/** A field of a document with its weight, and the part by which a long field counts less (BM25F). */
export type Field = { name: string; weight: number; shortness: number };

/** The words and weights by which an index ranks. */
export type IndexOptions<Name extends string> = {
  /** At most seven fields, because the counts of a term are packed into one number. */
  fields: readonly (Field & { name: Name })[];
  /** Terms that stand for a term of a request, each with its weight from 0 to 1. */
  related: (term: string) => ReadonlyMap<string, number>;
  /** Weight of a term of a request; 1 for a word that counts fully. */
  weightOf: (term: string) => number;
};

/** The term frequency at which a term's score is half of its maximum. */
const saturation = 1.6;
const maxWords = 48;
/** Documents of a ranking. */
const candidates = 200;
/** A related word in more documents than this, or than a twentieth of them, distinguishes nothing and is skipped. */
const commonTerm = 400;

const bitsPerField = 4;
const maxPerField = (1 << bitsPerField) - 1;

/** Ids of the entries with a term; for each, the term's count in every field, packed into one number. */
type Posting = { entries: number[]; counts: number[]; saturated?: Saturated };
/** The share of a term's score that each entry gets, from 0 to 1; kept until the index changes, because most words are asked for again. */
type Saturated = { version: number; parts: Float32Array };
/** The entries that a word of a request fits, with their scores. */
type WordScores = { ids: number[]; scores: Float64Array };
type Entry = { name: string; lengths: number[]; isAlive: boolean };
/** A document with its score. */
export type Scored = { name: string; score: number };
/** Scores of the words of one request, which its parts share. */
export type ScoredWords = Map<string, WordScores>;

/**
 * Inverted index in memory over documents with fields, ranked by BM25F. Replacing or removing a document only marks its
 * entry; marked entries are dropped together when they are a third of all.
 */
export class FieldIndex<Name extends string> {
  readonly #options: IndexOptions<Name>;
  #entries: Entry[] = [];
  #ids = new Map<string, number>();
  #postings = new Map<string, Posting>();
  #lengths: number[];
  /** Scores of the word and of the query in work, and the weight of one occurrence by entry and field. */
  #best = new Float64Array(0);
  #total = new Float64Array(0);
  #norms = new Float32Array(0);
  #isChanged = true;
  #version = 0;

  constructor(options: IndexOptions<Name>) {
    this.#options = options;
    this.#lengths = options.fields.map(() => 0);
  }

  get size(): number {
    return this.#ids.size;
  }

  names(): IterableIterator<string> {
    return this.#ids.keys();
  }

  /** Adds a document, or replaces the document of this name. */
  put(name: string, text: Record<Name, string>): void {
    this.remove(name);
    const id = this.#entries.length;
    const counts = new Map<string, number>();
    const lengths = this.#options.fields.map((field, place) => {
      const terms = tokenize(text[field.name]);
      const shift = place * bitsPerField;
      for (const term of terms) {
        const packed = counts.get(term) ?? 0;
        if (((packed >> shift) & maxPerField) < maxPerField) counts.set(term, packed + (1 << shift));
      }
      return terms.length;
    });
    this.#entries.push({ name, lengths, isAlive: true });
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
   * Returns the best documents that share a term with the query, best first.
   * @param scored a map that the searches of one request share, so that each word is scored once
   */
  rank(query: string, isIncluded: (name: string) => boolean, scored: ScoredWords = new Map()): Scored[] {
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
    return best;
  }

  /** Scores the documents that fit a word or a related one. */
  #scoreWord(word: string): WordScores {
    const weight = this.#options.weightOf(word);
    const ids: number[] = [];
    this.#scoreTerm(word, weight, ids, this.#entries.length);
    const maxEntries = Math.max(commonTerm, this.size / 20);
    for (const [other, share] of this.#options.related(word)) {
      this.#scoreTerm(other, weight * share * this.#options.weightOf(other), ids, maxEntries);
    }
    // Of a word and its related words the best match counts, so that a document gains nothing from saying a thing twice.
    const scores = new Float64Array(ids.length);
    for (const [at, id] of ids.entries()) {
      scores[at] = this.#best[id] ?? 0;
      this.#best[id] = 0;
    }
    return { ids, scores };
  }

  /** Scores the documents that have a term, and keeps the best score of each. */
  #scoreTerm(term: string, weight: number, ofWord: number[], maxEntries: number): void {
    const posting = this.#postings.get(term);
    if (!posting || posting.entries.length > maxEntries) return;
    const { entries } = posting;
    const parts = this.#saturatedParts(posting);
    // Entries of removed documents stay in a posting for a while, so it may have more entries than there are documents.
    const found = Math.min(entries.length, this.size);
    const idf = Math.log(1 + (this.size - found + 0.5) / (found + 0.5));
    const most = weight * idf * (saturation + 1);
    const best = this.#best;
    for (let at = 0; at < entries.length; at++) {
      const id = entries[at] ?? 0;
      // The part of a removed document is 0.
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
    for (let place = id * this.#options.fields.length; rest !== 0; place++) {
      const count = rest & maxPerField;
      if (count !== 0) sum += count * (this.#norms[place] ?? 0);
      rest >>>= bitsPerField;
    }
    return sum;
  }

  /** Returns the included documents with the highest scores, best first. */
  #takeBest(touched: readonly number[], isIncluded: (name: string) => boolean): Scored[] {
    const best: Scored[] = [];
    for (const id of touched) {
      const score = this.#total[id] ?? 0;
      const worst = best.length < candidates ? 0 : (best.at(-1)?.score ?? 0);
      const entry = this.#entries[id];
      if (score < worst || !entry || !isIncluded(entry.name)) continue;
      const candidate = { name: entry.name, score };
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

  /** Computes the weight of one occurrence in each field of each document, after the index changed. */
  #prepare(): void {
    if (!this.#isChanged) return;
    const { fields } = this.#options;
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

/** Best first; of equal scores the first by name, so that rankings are stable. */
export const byScore = (a: Scored, b: Scored): number => b.score - a.score || (a.name < b.name ? -1 : 1);
