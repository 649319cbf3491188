import type { TraceStep } from "@/contracts/decisions/decision";
import type { AnalyzedCall } from "../call/analyzed-call";
import type { CompiledRule } from "./compile-rule";
import { evaluateRule, toTraceStep } from "./evaluate-rule";
import { prefilterRules, unfilteredPlaces } from "./prefilter-rules";

/** Limit of steps, so that a trace stays readable and small enough to store; the deciding rule is always included. */
const maxTraceSteps = 100;

/** The first rule that decides the call, and the steps that led to it. */
export type FirstMatch = { rule: CompiledRule | null; trace: TraceStep[] };

/**
 * Evaluates the rules for a call's tool in order, up to the first that decides.
 * @param now milliseconds since 1970; a rule that expires at or before it is skipped
 */
export function firstMatch(rules: readonly CompiledRule[], call: AnalyzedCall, now: number): FirstMatch {
  const trace: TraceStep[] = [];
  const prefiltered = prefilterRules(rules, call);
  // The rules from this place up to the next one to evaluate were ruled out by the prefilter.
  let from = 0;
  const places = prefiltered?.toTry ?? unfilteredPlaces;
  for (let turn = 0; ; turn += 1) {
    const place = places[turn];
    const rule = place === undefined ? undefined : rules[place];
    if (place === undefined || !rule) break;
    if (prefiltered) noteRuledOut(prefiltered, rules, from, place, now, trace);
    from = place + 1;
    if (hasExpired(rule, now)) continue;
    const tried = evaluateRule(rule, call, now);
    // A list literal costs an eighth of a growing list, and most traces have a single step.
    if (tried.decides && trace.length === 0) return { rule, trace: [toTraceStep(rule, tried)] };
    if (tried.decides || trace.length < maxTraceSteps - 1) trace.push(toTraceStep(rule, tried));
    if (tried.decides) return { rule, trace };
  }
  if (prefiltered) noteRuledOut(prefiltered, rules, from, rules.length, now, trace);
  return { rule: null, trace };
}

function noteRuledOut(
  { ruledOut }: NonNullable<ReturnType<typeof prefilterRules>>,
  rules: readonly CompiledRule[],
  from: number,
  to: number,
  now: number,
  trace: TraceStep[],
): void {
  for (let place = from; place < to && trace.length < maxTraceSteps - 1; place += 1) {
    const rule = rules[place];
    const tried = ruledOut(place);
    if (rule && tried && !hasExpired(rule, now)) trace.push(toTraceStep(rule, tried));
  }
}

function hasExpired({ expiresAt }: CompiledRule, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}
