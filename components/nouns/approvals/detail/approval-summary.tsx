"use client";

import { Stack } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { Facts } from "@/components/kit/ui/page/facts";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { ShortId } from "@/components/kit/ui/text/short-id";
import { AskedArguments } from "@/components/nouns/calls/edited-by";
import { machineWords } from "@/components/nouns/coding-agents/client-words";
import { callBadge } from "@/components/nouns/effects/call-badge";
import { MakeRule } from "@/components/nouns/guard/make-rule";
import { EffectLabel } from "@/components/nouns/tools/effect-label";
import type { Approval } from "@/contracts/approvals/approvals";
import { askedByWords } from "../asked-by";
import { TimeLeftBadge } from "../time-left-badge";
import classes from "./approval-summary.module.css";
import { AskedCall } from "./asked-call";
import { DeciderList } from "./decider-list";
import { GuardTrace } from "./guard-trace";
import { ReplyDecisions } from "./reply-decisions";
import { TurnCalls } from "./turn-calls";

/** The call, its effects, the reason for approval, the turn around it, and the people who may decide. */
export function ApprovalSummary({ approval }: { approval: Approval }) {
  const { decision } = approval;
  const [isTraced, setIsTraced] = useState(false);
  const isPending = approval.status === "pending";
  return (
    <article aria-labelledby={`approval-${approval.id}`} data-story={approval.id}>
      <Stack gap="md">
        <CallTitle approval={approval}>
          <h2 id={`approval-${approval.id}`} className={shared.title}>
            {approval.kind === "question" ? "Question" : <RevealedText text={approval.tool.title} />}
          </h2>
        </CallTitle>
        <AskedCall approval={approval} canApprove={isPending}>
          <AskedArguments asked={approval.askedArguments} runs={approval.arguments} by={approval.editedBy} />
        </AskedCall>
        {approval.kind === "call" ? (
          <div>
            <MakeRule callId={approval.callId} />
          </div>
        ) : null}
        <DeciderList approval={approval} />
        <section>
          <h3 className={classes.heading}>Calls in this turn</h3>
          {isPending && approval.kind === "call" ? <ReplyDecisions approval={approval} /> : null}
          <TurnCalls approval={approval} />
        </section>
        <details className={classes.details} onToggle={(event) => setIsTraced(event.currentTarget.open)}>
          <summary>Guard decision and ids</summary>
          <Stack gap="md" mt="sm">
            {isTraced ? <GuardTrace decision={decision} /> : null}
            <Facts
              facts={[
                ["Requested", <RelativeTime key="requested" at={approval.requestedAt} />],
                ["Expires", isPending ? <RelativeTime key="expires" at={approval.expiresAt} /> : null],
                ["Arguments digest", <ShortId key="digest" id={approval.argumentsDigest} what="digest of the arguments" />],
                ["Conversation", <ShortId key="conversation" id={approval.conversationId} what="conversation id" />],
                ["Call", <ShortId key="call" id={approval.callId} what="call id" />],
                ["Approval", <ShortId key="approval" id={approval.id} what="approval id" />],
              ]}
            />
          </Stack>
        </details>
      </Stack>
    </article>
  );
}

/** Tool, badge of the call, agent, requester and time, and the time left while the approval is pending. */
export function CallTitle({ approval, children }: { approval: Approval; children?: ReactNode }) {
  return (
    <div className={classes.header}>
      <div className={shared.shrinks}>
        <div className={classes.tool}>
          {children}
          <CodeText dim>{approval.tool.name}</CodeText>
          {approval.kind === "call" ? <CallBadgeLabel approval={approval} /> : null}
        </div>
        <p className={`${classes.asked} ${shared.note}`}>
          <strong>
            <RevealedText text={approval.agent} />
          </strong>{" "}
          · {askedByWords(approval) ?? viaWords(approval.requestedBy)} · <RelativeTime at={approval.requestedAt} />
        </p>
        {approval.machine ? (
          <p className={`${classes.asked} ${shared.note}`}>
            <RevealedText text={machineWords(approval.machine)} />
          </p>
        ) : null}
      </div>
      {approval.status === "pending" ? <TimeLeftBadge expiresAt={approval.expiresAt} /> : null}
    </div>
  );
}

/** The worst effect of this call; the tool's own effect when the decision names none. */
function CallBadgeLabel({ approval: { decision, tool } }: { approval: Approval }) {
  const badge = callBadge(decision.effects, decision.sandboxed);
  return badge ? (
    <StatusBadge tone={badge.tone} icon={badge.icon}>
      {badge.word}
    </StatusBadge>
  ) : (
    <EffectLabel effect={tool.effect} />
  );
}

function viaWords({ type, name }: Approval["requestedBy"]): string {
  return type === "api_key" ? `via key "${name}"` : `via ${name}`;
}
