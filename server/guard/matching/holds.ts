/**
 * Whether a condition of a rule holds for a call. Three answers, because a guard that takes "cannot be known" for "no"
 * can be walked around with an argument that is missing or of another kind.
 */
export type Holds = { holds: true | false | "unknown"; why: () => string };

export const yes = (why: () => string): Holds => ({ holds: true, why });
export const no = (why: () => string): Holds => ({ holds: false, why });
export const unknown = (why: () => string): Holds => ({ holds: "unknown", why });

/**
 * A condition about several values at once (`/items/*`): a rule that allows has to hold for every one of them, a rule
 * that denies or asks for one.
 */
export function holdsFor<Value>(
  values: readonly Value[],
  { every, none, test }: { every: boolean; none: () => string; test: (value: Value) => Holds },
): Holds {
  let outcome: Holds | null = null;
  for (const value of values) {
    if (outcome?.holds === !every) return outcome;
    const next = test(value);
    // What decides alone counts most, then what is not known.
    if (outcome === null || next.holds === !every || outcome.holds === every) outcome = next;
  }
  return outcome ?? no(none);
}
