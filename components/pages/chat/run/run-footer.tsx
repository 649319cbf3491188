"use client";

import { Anchor, UnstyledButton } from "@mantine/core";
import { IconAlertTriangle, IconChevronDown, IconChevronRight, IconInfoCircle, IconReload } from "@tabler/icons-react";
import Link from "next/link";
import { useId, useState } from "react";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import shared from "@/components/kit/ui/shared.module.css";
import { CopyButton } from "@/components/kit/ui/text/copy-button";
import { durationText } from "@/components/kit/ui/text/duration-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { costWords, estimateWords, tokenWords } from "@/components/nouns/runs/cost-words";
import type { Run, RunMessage } from "@/contracts/runs/runs";
import { CopyCurl } from "./copy-curl";
import { RunCost } from "./run-cost";
import classes from "./run-footer.module.css";
import type { Step } from "./to-steps";

type RunFooterProps = {
  run: Run;
  steps: readonly Step[];
  asked: RunMessage | null;
  isLast: boolean;
  refusal: string | null;
  isSending: boolean;
  onRetry: () => void;
};

/** The end of a run: why it stopped short, what it cost, and what can be done with it. */
export function RunFooter({ run, steps, asked, isLast, refusal, isSending, onRetry }: RunFooterProps) {
  const [open, setOpen] = useState(false);
  const costId = useId();
  const { inputTokens, outputTokens, costUsd, isEstimated } = run.usage;
  const cost = costWords(costUsd);
  const facts = [
    `${run.steps} ${run.steps === 1 ? "step" : "steps"}`,
    estimateWords(tokenWords(inputTokens + outputTokens), isEstimated),
    cost && estimateWords(cost, isEstimated),
    run.finishedAt ? durationText(Date.parse(run.finishedAt) - Date.parse(run.createdAt)) : null,
  ].filter((fact) => fact !== null);
  const Chevron = open ? IconChevronDown : IconChevronRight;
  const answer = steps.at(-1)?.reply.text ?? "";
  const isShort = run.status !== "succeeded";
  const retry = isLast ? (
    <RefusableButton
      refusal={refusal}
      variant={isShort ? "default" : "subtle"}
      color="gray"
      size="compact-sm"
      leftSection={<IconReload size={14} aria-hidden />}
      loading={isSending}
      onClick={onRetry}
    >
      Retry
    </RefusableButton>
  ) : null;
  return (
    <div className={shared.stackClose}>
      {isShort ? (
        <div className={classes.ending} data-status={run.status} role={run.status === "failed" ? "alert" : "status"}>
          {run.status === "failed" ? <IconAlertTriangle size={16} aria-hidden /> : <IconInfoCircle size={16} aria-hidden />}
          <p>{run.status === "cancelled" ? "Stopped before the answer was complete." : <RevealedText text={run.error} />}</p>
          {retry}
        </div>
      ) : null}
      <div className={`${classes.line} ${shared.spread}`}>
        {run.steps === 0 ? (
          <span />
        ) : (
          <UnstyledButton className={classes.cost} aria-expanded={open} aria-controls={costId} onClick={() => setOpen(!open)}>
            <Chevron size={13} aria-hidden />
            <span data-numeric>{facts.join(" · ")}</span>
          </UnstyledButton>
        )}
        <span className={classes.actions}>
          {isShort ? null : retry}
          {answer ? <CopyButton text={answer} what="answer" /> : null}
          <CopyCurl run={run} asked={asked} />
          <Anchor component={Link} href={`/runs/${run.id}`} size="xs">
            Open run
          </Anchor>
        </span>
      </div>
      <div id={costId} hidden={!open}>
        {open ? <RunCost run={run} steps={steps} /> : null}
      </div>
    </div>
  );
}
