import shared from "@/components/kit/ui/shared.module.css";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { ShownStep } from "@/components/nouns/turns/list-call-steps";
import { AnswerQuestion } from "./answer-question";
import classes from "./call-steps.module.css";

type CallStepsProps = { turnId: string; callId: string; steps: readonly ShownStep[]; isRunning: boolean };

/** Messages and questions of a stateful tool; an open question is answered here. */
export function CallSteps({ turnId, callId, steps, isRunning }: CallStepsProps) {
  return (
    <ol className={`${shared.stack} ${shared.plainList}`} aria-label="Steps of the tool">
      {steps.map((step, place) => {
        const key = place; // The position is a stable key, because steps are only appended.
        return (
          <li key={key} className={shared.shrinks}>
            {step.kind === "line" ? (
              <p className={`${classes.line} ${shared.wrapping}`}>
                <RevealedText text={step.text} /> <RelativeTime at={step.at} />
              </p>
            ) : (
              <Question turnId={turnId} callId={callId} step={step} isRunning={isRunning} />
            )}
          </li>
        );
      })}
    </ol>
  );
}

type QuestionProps = { turnId: string; callId: string; step: Extract<ShownStep, { kind: "question" }>; isRunning: boolean };

function Question({ turnId, callId, step, isRunning }: QuestionProps) {
  const { number, text, options, approvalId, answer } = step;
  return (
    <>
      <CodeBlock label={number === 0 ? "The tool asks" : `The tool asks, question ${number + 1}`} text={text} maxLines={8} />
      {answer ? (
        <p className={classes.answer}>
          <span className={shared.dim}>{answer.by ?? "Somebody"} answered:</span>{" "}
          <span className={classes.said}>
            <RevealedText text={answer.text} />
          </span>
        </p>
      ) : isRunning ? (
        <div className={classes.question}>
          <AnswerQuestion turnId={turnId} callId={callId} question={number} options={options} approvalId={approvalId} />
        </div>
      ) : (
        <p className={classes.answer}>Nobody answered.</p>
      )}
    </>
  );
}
