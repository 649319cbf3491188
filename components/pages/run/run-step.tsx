import { AnswerText } from "@/components/kit/markdown/answer-text";
import shared from "@/components/kit/ui/shared.module.css";
import { durationText } from "@/components/kit/ui/text/duration-text";
import { TokenCount } from "@/components/kit/ui/text/token-count";
import { costWords, estimateWords } from "@/components/nouns/runs/cost-words";
import { ReplyFiles } from "@/components/pages/chat/run/reply-files";
import { StepNote } from "@/components/pages/chat/run/step-note";
import { Thinking } from "@/components/pages/chat/run/thinking";
import type { Step } from "@/components/pages/chat/run/to-steps";
import { ToolCalls } from "@/components/pages/chat/run/tool-calls";
import classes from "./run-view.module.css";

type RunStepProps = {
  number: number;
  step: Step;
  /** The time from which the model could be asked: the end of the step before. */
  askedAt: string;
  turnId: string | null;
  isLive: boolean;
};

/** One request to the model: its model, tokens, cost and time, its reply, and the calls of the reply. */
export function RunStep({ number, step: { reply, results, notes }, askedAt, turnId, isLive }: RunStepProps) {
  const { model, usage, createdAt, toolCalls } = reply;
  const since = notes.findLast(({ role }) => role === "summary")?.createdAt ?? askedAt;
  const callsEnd = results.at(-1)?.createdAt;
  return (
    <li className={`${classes.step} ${shared.surface}`}>
      <header className={classes.stepHeader}>
        <h3 className={shared.subtitle}>Step {number}</h3>
        <span className={classes.model}>{model?.model ?? "Unknown model"}</span>
        <ul className={classes.figures} aria-label={`Figures of step ${number}`}>
          {usage ? (
            <>
              <li>
                <TokenCount tokens={usage.inputTokens} unit={false} isEstimate={usage.isEstimated} /> in,{" "}
                <TokenCount tokens={usage.outputTokens} unit={false} isEstimate={usage.isEstimated} /> out
              </li>
              <li>{usage.costUsd === null ? "No price" : estimateWords(costWords(usage.costUsd) ?? "", usage.isEstimated)}</li>
            </>
          ) : null}
          <li>model {durationText(between(since, createdAt))}</li>
          {callsEnd ? <li>calls {durationText(between(createdAt, callsEnd))}</li> : null}
        </ul>
      </header>
      {notes.map((note) => (
        <StepNote key={note.position} note={note} />
      ))}
      {reply.reasoning ? <Thinking text={reply.reasoning} isLive={false} /> : null}
      {reply.text.trim() ? <AnswerText text={reply.text} /> : null}
      {reply.files.length > 0 ? <ReplyFiles files={reply.files} /> : null}
      {toolCalls.length > 0 ? <ToolCalls asked={toolCalls} results={results} turnId={turnId} isLive={isLive} /> : null}
    </li>
  );
}

const between = (from: string, to: string) => Math.max(0, Date.parse(to) - Date.parse(from));
