"use client";

import { useState } from "react";
import { toErrorSentence } from "@/components/api/error-sentence";
import { DecisionTrace } from "@/components/guard/decision-trace";
import { RevealedText } from "@/components/ui/revealed-text";
import shared from "@/components/ui/shared.module.css";
import { VerdictBadge } from "@/components/ui/verdict-badge";
import { WhyButton } from "@/components/ui/why-button";
import type { Evaluation } from "@/contracts/guard";
import classes from "./try-tool.module.css";

type EvaluationLineProps = {
  evaluation: Evaluation | undefined;
  error: unknown;
  /** The arguments are incomplete. */
  isUnwritten: boolean;
};

/** The guard's decision on the call as typed, with its explanation on demand. */
export function EvaluationLine({ evaluation, error, isUnwritten }: EvaluationLineProps) {
  const [open, setOpen] = useState(false);
  return (
    <section className={classes.evaluation} aria-label="Guard decision" aria-live="polite">
      {isUnwritten ? (
        <p className={classes.dim}>Complete the arguments to see the guard's decision.</p>
      ) : error ? (
        <p className={`${shared.errorText} ${shared.wraps}`} role="alert">
          {toErrorSentence(error)}
        </p>
      ) : evaluation ? (
        <>
          <div className={classes.verdict}>
            <VerdictBadge verdict={evaluation.verdict} />
            <span className={classes.reason}>
              <RevealedText text={evaluation.reason} />
            </span>
            <WhyButton open={open} onToggle={() => setOpen(!open)} />
          </div>
          {open ? <DecisionTrace decision={evaluation} /> : null}
        </>
      ) : (
        <p className={classes.dim}>Asking the guard…</p>
      )}
    </section>
  );
}
