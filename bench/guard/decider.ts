/** Something that decides calls, and how often it is asked in a round. */
export type Decider = {
  name: string;
  decisions: number;
  /** Everything that need not be done anew for each decision; what it returns decides once, and says whether it is allowed. */
  prepare: (decisions: number) => (decision: number) => boolean;
};

/** What is prepared at once: as a server does, the process keeps few calls at a time, and its collector has little to do. */
const batch = 500;

/** As much of a decider's time as it takes until the engine has nothing left to make faster in it. */
const warmUpMs = 3_000;

/** What a server is after its first minutes: until then the engine is still at work on the code, and its figures say little. */
export function warmUp(decider: Decider): void {
  const until = performance.now() + warmUpMs;
  while (performance.now() < until) measureTimes(decider, decider.decisions);
}

/** Microseconds of each of so many decisions, what the clock itself takes included. */
export function measureTimes({ prepare }: Decider, decisions: number): number[] {
  // What the others have left lying about is not cleared away in our time, nor ours in theirs.
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
