/**
 * Whether a condition of a rule holds for a call. Three answers, because a guard that treats "unknown" as "no" could be
 * bypassed with a missing argument or one of another kind.
 */
export type Ternary = { holds: true | false | "unknown"; why: () => string };

export const yes = (why: () => string): Ternary => ({ holds: true, why });
export const no = (why: () => string): Ternary => ({ holds: false, why });
export const unknown = (why: () => string): Ternary => ({ holds: "unknown", why });

/**
 * Tests a condition on several values (`/items/*`): for an allow rule every value has to pass, for a rule that denies
 * or asks one value is enough.
 */
export function testEachValue<Value>(
  values: readonly Value[],
  { every, none, test }: { every: boolean; none: () => string; test: (value: Value) => Ternary },
): Ternary {
  let outcome: Ternary | null = null;
  for (const value of values) {
    if (outcome?.holds === !every) return outcome;
    const next = test(value);
    // A value that decides alone wins; then an unknown value.
    if (outcome === null || next.holds === !every || outcome.holds === every) outcome = next;
  }
  return outcome ?? no(none);
}
