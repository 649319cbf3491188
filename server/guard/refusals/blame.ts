import type { Decision } from "@/contracts/decisions/decision";
import type { AnalyzedCall } from "../call/analyzed-call";
import type { Policy } from "../compile-policy";
import { effectsAskedByDefault } from "../default-policy";
import { evidenceWords } from "../evidence-words";
import { excerpt } from "../excerpt";
import type { Blame } from "./comparable-effects";
import { earlierRefusalStep } from "./earlier-refusal-step";

/**
 * A finding that stands for several matches, of which only the first one has its words in the finding. Questions from before
 * version 0.2 say "And 1 more like it."
 */
const countsOthers = / \(\d+×\)\.$| And \d+ more like it\.$/;

/**
 * Returns the effects that the question about a refused call was about. A rule and a default policy that asks about every
 * call ask about the call as a whole. A finding is about the words that it quotes, the default policy `by_effect` about
 * the effects that leave the folder or the sandbox.
 */
export function blameOf(policy: Policy, call: AnalyzedCall, decision: Pick<Decision, "ruleId" | "findings" | "trace">): Blame {
  if (decision.ruleId !== null) return "everything";
  const byDefault = effectsAskedByDefault(policy, call);
  if (byDefault === "everything") return "everything";
  const blamed = new Set(byDefault);
  for (const { verdict, message, excerpt: words } of decision.findings) {
    if (verdict === "allow") continue;
    const found = call.effects.filter((effect) => isQuoted(excerpt(evidenceWords(effect, call.arguments)), words));
    if (found.length === 0 || countsOthers.test(message)) return "everything";
    for (const effect of found) blamed.add(effect);
  }
  if (blamed.size > 0) return blamed;
  // The refusal that asked is still remembered, with its own targets.
  return decision.trace.some(({ ruleName }) => ruleName === earlierRefusalStep) ? blamed : "everything";
}

const isQuoted = (words: string, quoted: string): boolean =>
  words !== "" && quoted !== "" && (words.includes(quoted.replace(/…$/, "")) || quoted.includes(words.replace(/…$/, "")));
