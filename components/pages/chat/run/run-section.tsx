"use client";

import { Button } from "@mantine/core";
import { memo, useState } from "react";
import { AnswerText } from "@/components/kit/markdown/answer-text";
import shared from "@/components/kit/ui/shared.module.css";
import type { ChatRun } from "@/contracts/runs/chats";
import { isOpenRun } from "./is-open-run";
import type { LiveReply } from "./live-reply";
import { ReplyFiles } from "./reply-files";
import { RunFooter } from "./run-footer";
import classes from "./run-section.module.css";
import { StepNote } from "./step-note";
import { Thinking } from "./thinking";
import { type Step, toSteps, turnOf } from "./to-steps";
import { ToolCalls } from "./tool-calls";
import { UserMessage } from "./user-message";
import { WrittenCalls } from "./written-calls";

/** Steps of an ended run that are drawn at first; people read the last ones. */
const shownSteps = 8;

export type Resend = (change: { runId: string; text: string; attachments: readonly string[] }) => void;

type RunSectionProps = {
  entry: ChatRun;
  reply: LiveReply | null;
  isLast: boolean;
  /** Why no message can be sent now; null when one can. */
  refusal: string | null;
  isSending: boolean;
  onResend: Resend;
};

/** A message of a person and everything that followed: thinking, text, calls, the answer and its cost. */
export const RunSection = memo(({ entry, reply, isLast, refusal, isSending, onResend }: RunSectionProps) => {
  const { run, messages } = entry;
  const [showsAll, setShowsAll] = useState(false);
  const { asked, steps } = toSteps(messages);
  const isOpen = isOpenRun(run);
  const hidden = isOpen || showsAll || steps.length <= shownSteps + 2 ? 0 : steps.length - shownSteps;
  const live = isOpen && reply && !messages.some(({ position }) => position === reply.position) ? reply : null;
  return (
    <section className={classes.run} aria-label={`Message: ${(asked?.text ?? "").slice(0, 60)}`} data-run={run.id}>
      {asked ? (
        <UserMessage
          message={asked}
          refusal={isOpen ? "The agent is still working. Stop it first, or wait." : refusal}
          isSending={isSending}
          onSend={(text) => onResend({ runId: run.id, text, attachments: asked.attachments.map(({ path }) => path) })}
        />
      ) : null}
      <div className={classes.answer}>
        {hidden > 0 ? (
          <Button className={shared.atStart} variant="subtle" color="gray" size="compact-sm" onClick={() => setShowsAll(true)}>
            Show {hidden} earlier steps
          </Button>
        ) : null}
        {steps.slice(hidden).map((step, place) => (
          <StepView
            key={step.reply.position}
            step={step}
            turnId={turnOf(steps, place + hidden, run.turnId)}
            isLive={isOpen && place + hidden === steps.length - 1 && step.results.length === 0}
          />
        ))}
        {live ? (
          <>
            {live.reasoning ? <Thinking text={live.reasoning} isLive={live.text === ""} /> : null}
            {live.text ? <AnswerText text={live.text} /> : null}
            {live.calls.length > 0 ? <WrittenCalls calls={live.calls} /> : null}
          </>
        ) : null}
        {isOpen ? <Working run={run} steps={steps} isWriting={Boolean(live?.text)} /> : null}
        {isOpen ? null : (
          <RunFooter
            run={run}
            steps={steps}
            asked={asked}
            isLast={isLast}
            refusal={refusal}
            isSending={isSending}
            onRetry={() =>
              onResend({ runId: run.id, text: asked?.text ?? "", attachments: asked?.attachments.map(({ path }) => path) ?? [] })
            }
          />
        )}
      </div>
    </section>
  );
});

function StepView({ step: { reply, results, notes }, turnId, isLive }: { step: Step; turnId: string | null; isLive: boolean }) {
  return (
    <>
      {notes.map((note) => (
        <StepNote key={note.position} note={note} />
      ))}
      {reply.reasoning ? <Thinking text={reply.reasoning} isLive={false} /> : null}
      {reply.text.trim() ? <AnswerText text={reply.text} /> : null}
      {reply.files.length > 0 ? <ReplyFiles files={reply.files} /> : null}
      {reply.toolCalls.length > 0 ? <ToolCalls asked={reply.toolCalls} results={results} turnId={turnId} isLive={isLive} /> : null}
    </>
  );
}

/** Says what an open run does, for as long as nothing else shows it. */
function Working({ run, steps, isWriting }: { run: ChatRun["run"]; steps: readonly Step[]; isWriting: boolean }) {
  const last = steps.at(-1);
  const callsRun = last !== undefined && last.reply.toolCalls.length > 0 && last.results.length === 0;
  const words =
    run.status === "waiting"
      ? "Waiting for a decision"
      : run.status === "queued"
        ? "Waiting for a server"
        : callsRun
          ? "Working"
          : "Thinking";
  return (
    <p className={classes.working} role="status" data-quiet={isWriting || undefined}>
      <span className={classes.dots} aria-hidden data-still={run.status === "waiting" || undefined}>
        <i />
        <i />
        <i />
      </span>
      {isWriting ? "Writing" : words}
    </p>
  );
}
