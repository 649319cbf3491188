import type { TraceStep } from "@/contracts/decision";
import type { CallOnTrial } from "../call-on-trial";
import type { CompiledRule } from "../compile-policy";
import { placesOfFew, siftRules } from "./sift-rules";
import { stepOf, tryRule } from "./try-rule";

/** A trace stays readable and small enough to be stored with every call; the deciding rule is always in it. */
const maxTraceSteps = 100;

/** The first of the rules for a call's tool that decides it, with the steps that led there. */
export type FirstMatch = { rule: CompiledRule | null; trace: TraceStep[] };

/**
 * Tries the rules for a call's tool in order, up to the first that decides.
 * @param now milliseconds since 1970; what has expired by then is no rule
 */
export function firstMatch(rules: readonly CompiledRule[], call: CallOnTrial, now: number): FirstMatch {
  const trace: TraceStep[] = [];
  const sifted = siftRules(rules, call);
  // From here on up to the next rule that has to be tried, none matches.
  let from = 0;
  const places = sifted?.toTry ?? placesOfFew;
  for (let turn = 0; ; turn += 1) {
    const place = places[turn];
    const rule = place === undefined ? undefined : rules[place];
    if (place === undefined || !rule) break;
    if (sifted) noteRuledOut(sifted, rules, from, place, now, trace);
    from = place + 1;
    if (hasExpired(rule, now)) continue;
    const tried = tryRule(rule, call, now);
    // A list that is made with its member takes an eighth of one that may grow, and most traces have one step.
    if (tried.decides && trace.length === 0) return { rule, trace: [stepOf(rule, tried)] };
    if (tried.decides || trace.length < maxTraceSteps - 1) trace.push(stepOf(rule, tried));
    if (tried.decides) return { rule, trace };
  }
  if (sifted) noteRuledOut(sifted, rules, from, rules.length, now, trace);
  return { rule: null, trace };
}

function noteRuledOut(
  { ruledOut }: NonNullable<ReturnType<typeof siftRules>>,
  rules: readonly CompiledRule[],
  from: number,
  to: number,
  now: number,
  trace: TraceStep[],
): void {
  for (let place = from; place < to && trace.length < maxTraceSteps - 1; place += 1) {
    const rule = rules[place];
    const tried = ruledOut(place);
    if (rule && tried && !hasExpired(rule, now)) trace.push(stepOf(rule, tried));
  }
}

function hasExpired({ expiresAt }: CompiledRule, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}
