/** Something that decides calls, and how often it is asked in a round. */
export type Decider = {
  name: string;
  decisions: number;
  /** Everything that need not be done anew for each decision; what it returns decides once, and says whether it is allowed. */
  prepare: (decisions: number) => (decision: number) => boolean;
};

/** Calls prepared at once. Few, as on a server, so that the garbage collector has little to do. */
const batch = 500;

/** As much of a decider's time as it takes until the engine has nothing left to make faster in it. */
const warmUpMs = 3_000;

/** Rounds before the measurement, because the engine still optimises the code in a server's first minutes. */
export function warmUp(decider: Decider): void {
  const until = performance.now() + warmUpMs;
  while (performance.now() < until) measureTimes(decider, decider.decisions);
}

/** Microseconds of each of so many decisions, what the clock itself takes included. */
export function measureTimes({ prepare }: Decider, decisions: number): number[] {
  // Collects garbage first, so that no measurement pays for another one's.
  globalThis.gc?.();
  const taken = new Float64Array(decisions);
  for (let from = 0; from < decisions; from += batch) {
    const size = Math.min(batch, decisions - from);
    const decide = prepare(size);
    for (let decision = 0; decision < size; decision++) {
      const began = performance.now();
      const allowed = decide(decision);
      taken[from + decision] = (performance.now() - began) * 1_000;
      if (!allowed) throw new Error("a decision came out wrong");
    }
  }
  return [...taken];
}
