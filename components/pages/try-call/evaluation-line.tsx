"use client";

import { useState } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { VerdictBadge } from "@/components/kit/ui/badges/verdict-badge";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { WhyButton } from "@/components/kit/ui/why-button";
import { DecisionTrace } from "@/components/nouns/guard/try/decision-trace";
import type { Evaluation } from "@/contracts/guard/guard";
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
    <section className={`${shared.stack} ${shared.card}`} aria-label="Guard decision" aria-live="polite">
      {isUnwritten ? (
        <p className={`${shared.note} ${shared.wraps}`}>Complete the arguments to see the guard's decision.</p>
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
        <p className={`${shared.note} ${shared.wraps}`}>Asking the guard…</p>
      )}
    </section>
  );
}
