import { FindingList } from "@/components/guard/finding-list";
import { RuleFact } from "@/components/guard/rule-fact";
import { MarkedSentence } from "@/components/ui/marked-sentence";
import type { Decision } from "@/contracts/decision";
import classes from "./asked-because.module.css";

/** Why a person is asked: the guard's reason, the rule with what it matched, and what was recognised as dangerous. */
export function AskedBecause({ decision }: { decision: Decision }) {
  const step = decision.trace.find(({ ruleId }) => ruleId === decision.ruleId);
  // A finding that decides says everything that the reason says, and more.
  const isToldByFinding = step === undefined && decision.findings.some(({ message }) => decision.reason.startsWith(message));
  return (
    <div className={classes.because}>
      <p className={classes.heading}>Why it asks</p>
      {isToldByFinding ? null : <p className={classes.reason}>{decision.reason}</p>}
      {step ? (
        <p className={classes.rule}>
          Rule <RuleFact ruleId={step.ruleId} ruleName={step.ruleName} />
          {step.why ? (
            <span className={classes.why}>
              <MarkedSentence text={step.why} />
            </span>
          ) : null}
        </p>
      ) : null}
      <FindingList findings={decision.findings} />
    </div>
  );
}
