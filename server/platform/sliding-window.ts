import { LRUCache } from "lru-cache";

/** Counts events by key over a sliding window. Beyond `maxKeys`, the key with the oldest last event is dropped. */
export class SlidingWindow {
  readonly #windowMs: number;
  /** Milliseconds since 1970 of each event, in ascending order. */
  readonly #events: LRUCache<string, number[]>;

  constructor({ windowMs, maxKeys }: { windowMs: number; maxKeys: number }) {
    this.#windowMs = windowMs;
    this.#events = new LRUCache({ max: maxKeys });
  }

  /** Returns the milliseconds until the key has fewer events than the limit; 0 when it has fewer now. */
  waitMs(key: string, limit: number, now: number): number {
    const deciding = this.#recent(key, now).at(-limit);
    return deciding === undefined ? 0 : deciding + this.#windowMs - now;
  }

  add(key: string, now: number): void {
    const events = this.#recent(key, now);
    events.push(now);
    this.#events.set(key, events);
  }

  /** Removes one event with this time. */
  takeBack(key: string, at: number): void {
    const events = this.#events.peek(key) ?? [];
    const index = events.indexOf(at);
    if (index >= 0) events.splice(index, 1);
  }

  forget(key: string): void {
    this.#events.delete(key);
  }

  #recent(key: string, now: number): number[] {
    const events = this.#events.peek(key) ?? [];
    const firstRecent = events.findIndex((at) => at > now - this.#windowMs);
    events.splice(0, firstRecent < 0 ? events.length : firstRecent);
    return events;
  }
}
