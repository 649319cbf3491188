"use client";

import { type ReactNode, useRef } from "react";
import { SentArguments } from "@/components/hooks/sent-arguments";
import { EffectLabel } from "@/components/tools/effect-label";
import { CallArguments } from "@/components/turns/call-arguments";
import { MachineText } from "@/components/ui/machine-text";
import { opensHere } from "@/components/ui/opens-here";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Approval } from "@/contracts/approvals";
import { AnswerForm } from "./answer-form";
import classes from "./approval-card.module.css";
import { AskedBecause } from "./asked-because";

import { SettledNote } from "./settled-note";
import { TimeLeftBadge } from "./time-left-badge";
import { useDecide } from "./use-decide";

/** One approval with all that a person needs to decide it: what runs, why it asks, how long it waits, and the answer. */
export function ApprovalCard({ approval, onOpen }: { approval: Approval; onOpen: () => void }) {
  const card = useRef<HTMLElement>(null);
  const decide = useDecide();
  const isPending = approval.status === "pending";
  return (
    <article
      ref={card}
      className={classes.card}
      data-approval={approval.id}
      data-pending={isPending || undefined}
      aria-labelledby={`approval-${approval.id}`}
      tabIndex={-1}
    >
      <div className={classes.call}>
        <CallTitle approval={approval}>
          <h2 id={`approval-${approval.id}`} className={classes.title}>
            <a href={`/approvals?approval=${approval.id}`} data-action="open" className={classes.link} onClick={opensHere(onOpen)}>
              {approval.tool.title}
            </a>
          </h2>
        </CallTitle>
        <CallArguments args={approval.arguments} primaryArgument={approval.tool.primaryArgument} />
        {approval.sentArguments ? (
          <SentArguments sent={approval.sentArguments} runs={approval.arguments} hooks={approval.hooks ?? []} />
        ) : null}
      </div>
      <div className={classes.side}>
        <AskedBecause decision={approval.decision} />
        {isPending ? (
          <AnswerForm
            approval={approval}
            error={decide.error}
            busy={decide.isPending}
            onAnswer={(answer) => {
              // The buttons go away; the focus stays on the card, where the outcome is read out.
              card.current?.focus();
              decide.mutate({ approval, answer });
            }}
          />
        ) : (
          <SettledNote approval={approval} answeredHere={decide.isSuccess || decide.isPending} refusal={decide.error} />
        )}
      </div>
    </article>
  );
}

/** Tool, effect, agent, who asked and when, and the time left while somebody can still answer. */
export function CallTitle({ approval, children }: { approval: Approval; children?: ReactNode }) {
  return (
    <div className={classes.header}>
      <div className={classes.words}>
        <div className={classes.tool}>
          {children}
          <MachineText dim>{approval.tool.name}</MachineText>
          <EffectLabel effect={approval.tool.effect} />
        </div>
        <p className={classes.asked}>
          Agent <strong>{approval.agent}</strong>, asked by {approval.requestedBy.name} <RelativeTime at={approval.requestedAt} />
        </p>
      </div>
      {approval.status === "pending" ? <TimeLeftBadge expiresAt={approval.expiresAt} /> : null}
    </div>
  );
}
