/** Something that decides calls, and how often it is asked in a round. */
export type Decider = {
  name: string;
  decisions: number;
  /** Everything that need not be done anew for each decision; what it returns decides once, and says whether it is allowed. */
  prepare: (decisions: number) => (decision: number) => boolean;
};

/** Microseconds of each of so many decisions, what the clock itself takes included (some 0.05). */
export function timesOf({ prepare }: Decider, decisions: number): number[] {
  const decide = prepare(decisions);
  const taken = new Float64Array(decisions);
  for (let decision = 0; decision < decisions; decision++) {
    const began = performance.now();
    const allowed = decide(decision);
    taken[decision] = (performance.now() - began) * 1_000;
    if (!allowed) throw new Error("a decision came out wrong");
  }
  return [...taken];
}
