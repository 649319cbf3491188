"use client";

import { Button } from "@mantine/core";
import { IconHandStop } from "@tabler/icons-react";
import Link from "next/link";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { durationText } from "@/components/kit/ui/text/duration-text";
import { useNow } from "@/components/kit/ui/text/now";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Wait } from "./journal-segments";
import classes from "./timeline.module.css";

/** A wait for a person: who was asked, the duration, and the answer. */
export function WaitMark({ wait, name }: { wait: Wait; name: string }) {
  return (
    <li className={classes.chapter} data-kind="wait" data-open={wait.until === null || undefined}>
      <div className={classes.mark}>
        <IconHandStop size={16} stroke={1.8} aria-hidden className={classes.markIcon} />
        <div className={classes.markWords}>
          <p className={shared.flush}>
            <strong>{wait.until === null ? "Needs approval" : "Waited for approval"}</strong> <Lasted wait={wait} />
          </p>
          <p className={`${classes.dim} ${shared.note}`}>
            <CodeText>
              <RevealedText text={name} />
            </CodeText>{" "}
            {wait.answer ? <Answer wait={wait} answer={wait.answer} /> : "pauses the turn until it is approved."}
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
    <span className={`${classes.dim} ${shared.note}`} data-numeric suppressHydrationWarning>
      {durationText(wait.until ? lasted : Math.floor(lasted / 1_000) * 1_000)}
      {wait.until ? null : " so far"}
    </span>
  );
}

function Answer({ wait: { from, until }, answer: { status, by } }: { wait: Wait; answer: NonNullable<Wait["answer"]> }) {
  const who = by && by.type !== "system" ? by.name : "a person";
  const after = until === null ? "" : ` after ${durationText(Math.max(0, Date.parse(until) - Date.parse(from)))}`;
  switch (status) {
    case "approved":
      return `approved by ${who}${after}`;
    case "rejected":
      return `rejected by ${who}${after}`;
    case "expired":
      return `expired without an answer${after}`;
    case "cancelled":
      return `withdrawn${after}`;
    default:
      return "asked anew, because the call changed";
  }
}
