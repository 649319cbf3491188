import { Anchor } from "@mantine/core";
import Link from "next/link";
import shared from "@/components/kit/ui/shared.module.css";
import { MarkedSentence } from "@/components/kit/ui/text/marked-sentence";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { FindingList } from "@/components/nouns/guard/try/finding-list";
import { RuleFact } from "@/components/nouns/guard/try/rule-fact";
import type { Decision } from "@/contracts/decisions/decision";
import classes from "./approval-reason.module.css";

/** Reason for the approval: the guard's sentence, the rule with its match, and the findings. */
export function ApprovalReason({ decision }: { decision: Decision }) {
  const step = decision.trace.find(({ ruleId }) => ruleId === decision.ruleId);
  const reason = reasonBeside(decision, step?.ruleName ?? null);
  return (
    <section className={shared.stackTight} aria-label="Reasons for approval">
      <h3 className={`${shared.flush} ${shared.small}`}>Reasons for approval</h3>
      {reason ? (
        <p className={`${shared.paragraph} ${shared.wraps}`}>
          <RevealedText text={reason} />
        </p>
      ) : null}
      {step ? (
        <p className={`${shared.paragraph} ${shared.wraps}`}>
          Rule <RuleFact ruleId={step.ruleId} ruleName={step.ruleName} />
          {step.why ? (
            <span className={classes.why}>
              <MarkedSentence text={step.why} />
            </span>
          ) : null}
        </p>
      ) : null}
      {decision.unconfirmedServerId ? (
        <p className={`${shared.paragraph} ${shared.wraps}`}>
          Nobody has confirmed what this tool does.{" "}
          <Anchor component={Link} href={`/mcp-servers?server=${decision.unconfirmedServerId}`} size="sm" underline="always">
            Confirm the effects of its server's tools
          </Anchor>
          : those that only read run unasked then.
        </p>
      ) : null}
      <FindingList findings={decision.findings} />
    </section>
  );
}

/** Returns the part of the reason that neither the rule nor a finding repeats below; empty when nothing is left. */
export function reasonBeside({ reason, findings }: Pick<Decision, "reason" | "findings">, ruleName: string | null): string {
  // The default reason of a rule repeats only its name, which is shown below.
  if (ruleName !== null) return reason.startsWith(`Rule "${ruleName}" requires approval`) ? "" : reason;
  const told = findings.find(({ message }) => reason.startsWith(message));
  return told ? reason.slice(told.message.length).replace(/^[\s.;,]+/, "") : reason;
}
