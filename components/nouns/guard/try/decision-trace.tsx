import { IconTarget } from "@tabler/icons-react";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { VerdictBadge } from "@/components/kit/ui/badges/verdict-badge";
import { Facts } from "@/components/kit/ui/page/facts";
import shared from "@/components/kit/ui/shared.module.css";
import { MarkedSentence } from "@/components/kit/ui/text/marked-sentence";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { EffectList } from "@/components/nouns/effects/effect-list";
import type { Decision, TraceStep } from "@/contracts/decisions/decision";
import classes from "./decision-trace.module.css";
import { FindingList } from "./finding-list";
import { RuleFact } from "./rule-fact";

type ExplainedDecision = Pick<Decision, "verdict" | "reason" | "ruleId" | "findings" | "trace" | "policyVersion" | "effects">;

const traceLooks: Record<TraceStep["result"], { tone: "running" | "unavailable" | "deny"; word: string }> = {
  matched: { tone: "running", word: "Matched" },
  not_matched: { tone: "unavailable", word: "No match" },
  could_not_evaluate: { tone: "deny", word: "Not evaluated" },
};

/** Explanation of a verdict: reason, rule, findings, and each tried rule in order. */
export function DecisionTrace({ decision }: { decision: ExplainedDecision }) {
  const deciding = decision.trace.find(({ ruleId }) => ruleId === decision.ruleId);
  return (
    <div className={shared.stack}>
      <EffectList effects={decision.effects} />
      <Facts
        facts={[
          ["Verdict", <VerdictBadge key="verdict" verdict={decision.verdict} />],
          ["Reason", decision.reason],
          ["Rule", deciding ? <RuleFact key="rule" ruleId={deciding.ruleId} ruleName={deciding.ruleName} /> : noRule(decision)],
          ["Policy", `Version ${decision.policyVersion}`],
        ]}
      />
      <FindingList findings={decision.findings} />
      {decision.trace.length > 0 ? <Trace steps={decision.trace} /> : null}
    </div>
  );
}

function noRule(decision: ExplainedDecision): string | null {
  return decision.ruleId === null ? "None matched" : null;
}

function Trace({ steps }: { steps: readonly TraceStep[] }) {
  return (
    <ol className={classes.trace} aria-label="Rules in the order in which they were tried">
      {steps.map((step) => (
        <li key={step.ruleId} className={classes.step} data-result={step.result}>
          <span className={classes.result}>
            <StatusBadge tone={traceLooks[step.result].tone} icon={step.result === "matched" ? IconTarget : undefined} plain>
              {traceLooks[step.result].word}
            </StatusBadge>
          </span>
          <span className={shared.lines}>
            <span className={shared.medium}>
              <RevealedText text={step.ruleName} />
            </span>
            <span className={`${shared.small} ${shared.wraps}`}>
              <MarkedSentence text={step.why} />
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}
