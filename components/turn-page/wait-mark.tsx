"use client";

import { Button } from "@mantine/core";
import { IconHandStop } from "@tabler/icons-react";
import Link from "next/link";
import { CodeText } from "@/components/ui/code-text";
import { durationText } from "@/components/ui/duration-text";
import { useNow } from "@/components/ui/now";
import { RevealedText } from "@/components/ui/revealed-text";
import type { Wait } from "./journal-segments";
import classes from "./timeline.module.css";

/** A wait for a person: who was asked, the duration, and the answer. */
export function WaitMark({ wait, name }: { wait: Wait; name: string }) {
  return (
    <li className={classes.chapter} data-kind="wait" data-open={wait.until === null || undefined}>
      <div className={classes.mark}>
        <IconHandStop size={16} stroke={1.8} aria-hidden className={classes.markIcon} />
        <div className={classes.markWords}>
          <p className={classes.line}>
            <strong>{wait.until === null ? "Needs approval" : "Waited for approval"}</strong> <Lasted wait={wait} />
          </p>
          <p className={classes.dim}>
            <CodeText>
              <RevealedText text={name} />
            </CodeText>{" "}
            {wait.answer ? <Answer answer={wait.answer} /> : "pauses the turn until it is approved."}
          </p>
          {wait.answer?.comment ? (
            <blockquote className={classes.comment}>
              <RevealedText text={wait.answer.comment} />
            </blockquote>
          ) : null}
        </div>
        {wait.until === null ? (
          <Button component={Link} href={`/approvals?approval=${wait.approvalId}`} className={classes.markAction}>
            Answer
          </Button>
        ) : null}
      </div>
    </li>
  );
}

function Lasted({ wait }: { wait: Wait }) {
  const now = useNow();
  const lasted = Math.max(0, (wait.until ? Date.parse(wait.until) : now) - Date.parse(wait.from));
  return (
    <span className={classes.dim} data-numeric suppressHydrationWarning>
      {durationText(wait.until ? lasted : Math.floor(lasted / 1_000) * 1_000)}
      {wait.until ? null : " so far"}
    </span>
  );
}

function Answer({ answer: { status, by } }: { answer: NonNullable<Wait["answer"]> }) {
  const who = by && by.type !== "system" ? by.name : "a person";
  switch (status) {
    case "approved":
      return `asked; approved by ${who}.`;
    case "rejected":
      return `asked; rejected by ${who}.`;
    case "expired":
      return "asked; nobody answered in time.";
    case "cancelled":
      return "asked; the question was withdrawn.";
    default:
      return "asked; the question no longer counts, because the call is not the same any more.";
  }
}
