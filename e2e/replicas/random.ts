/** Random choices that a seed repeats (mulberry32). */
export type Random = {
  /** From 0 up to but not `below`. */
  integer: (below: number) => number;
  pick: <T>(from: readonly T[]) => T;
  chance: (probability: number) => boolean;
};

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number) => Math.floor(next() * below);
  return {
    integer,
    pick(from) {
      const picked = from[integer(from.length)];
      if (picked === undefined) throw new Error("there is nothing to pick from");
      return picked;
    },
    chance: (probability) => next() < probability,
  };
}
