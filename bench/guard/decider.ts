/** Something that decides calls, and how often it is asked in a round. */
export type Decider = {
  name: string;
  decisions: number;
  /** Everything that need not be done anew for each decision; what it returns decides once, and says whether it is allowed. */
  prepare: (decisions: number) => (decision: number) => boolean;
};

/** What is prepared at once: as a server does, the process keeps few calls at a time, and its collector has little to do. */
const batch = 500;

/** Microseconds of each of so many decisions, what the clock itself takes included. */
export function timesOf({ prepare }: Decider, decisions: number): number[] {
  const taken = new Float64Array(decisions);
  // What the others have left lying about is not cleared away in our time, nor ours in theirs.
  globalThis.gc?.();
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
