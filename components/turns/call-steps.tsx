import { MachineBlock } from "@/components/ui/machine-block";
import { RelativeTime } from "@/components/ui/relative-time";
import { RevealedText } from "@/components/ui/revealed-text";
import { AnswerQuestion } from "./answer-question";
import classes from "./call-steps.module.css";
import type { ShownStep } from "./steps-of-call";

type CallStepsProps = { turnId: string; callId: string; steps: readonly ShownStep[]; isRunning: boolean };

/** What a tool that works in steps has said and asked so far; an open question takes its answer here. */
export function CallSteps({ turnId, callId, steps, isRunning }: CallStepsProps) {
  return (
    <ol className={classes.steps} aria-label="Steps of the tool">
      {steps.map((step, place) => {
        const key = place; // Steps are only ever added at the end.
        return (
          <li key={key} className={classes.step}>
            {step.kind === "line" ? (
              <p className={classes.line}>
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
  const { number, text, options, answer } = step;
  return (
    <>
      <MachineBlock label={number === 0 ? "The tool asks" : `The tool asks, question ${number + 1}`} text={text} maxLines={8} />
      {answer ? (
        <p className={classes.answer}>
          <span className={classes.who}>{answer.by ?? "Somebody"} answered:</span>{" "}
          <span className={classes.said}>
            <RevealedText text={answer.text} />
          </span>
        </p>
      ) : isRunning ? (
        <AnswerQuestion turnId={turnId} callId={callId} question={number} options={options} />
      ) : (
        <p className={classes.answer}>Nobody answered.</p>
      )}
    </>
  );
}
