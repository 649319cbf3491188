"use client";

import { Anchor } from "@mantine/core";
import { IconArrowRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import shared from "@/components/kit/ui/shared.module.css";
import { durationText } from "@/components/kit/ui/text/duration-text";
import { FoldableBlock } from "@/components/kit/ui/text/foldable-block";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { turnQueries } from "@/components/nouns/turns/queries";
import type { Approval } from "@/contracts/approvals/approvals";
import { decisionPlaceWords } from "@/contracts/approvals/decision-place-words";
import type { Call } from "@/contracts/browser/turns/turns";
import { finalCallStatuses } from "@/contracts/calls/call-statuses";
import classes from "./approval-outcome.module.css";
import { ApprovalStatusBadge } from "./approval-status-badge";
import type { Refusal } from "./outbox/outbox";

type ApprovalOutcomeProps = {
  approval: Approval;
  /** The decision was made in this browser. */
  isDecidedHere?: boolean;
  /** Why a decision of this browser was refused. */
  refusal?: Refusal | null;
};

const resultPollMs = 1_000;

/** Outcome of an approval, the person who decided, and the call's result once it exists. */
export function ApprovalOutcome({ approval, isDecidedHere = false, refusal = null }: ApprovalOutcomeProps) {
  const call = useCallOf(approval);
  return (
    <div className={classes.note} data-status={approval.status}>
      <div className={classes.line}>
        <ApprovalStatusBadge status={approval.status} />
        <span className={classes.who}>
          {isDecidedHere ? null : <RevealedText text={describeDecider(approval)} />}
          {approval.decidedAt && !isDecidedHere ? <RelativeTime at={approval.decidedAt} /> : null}
        </span>
        <Anchor component={Link} href={`/turns/${approval.turnId}`} size="sm" className={classes.turn}>
          See the turn <IconArrowRight size={14} aria-hidden />
        </Anchor>
      </div>
      <p className={shared.paragraph} role="status">
        {outcomeSentence(approval, call)}
      </p>
      {refusal?.code === "already_decided" ? <p className={shared.paragraph}>Your answer came second and changed nothing.</p> : null}
      {approval.comment ? (
        <blockquote className={classes.comment}>
          <RevealedText text={approval.comment} />
        </blockquote>
      ) : null}
      {approval.drift.length > 0 ? (
        <ul className={classes.drift}>
          {approval.drift.map((change) => (
            <li key={change}>{change}</li>
          ))}
        </ul>
      ) : null}
      {approval.status === "approved" && call?.content ? (
        <FoldableBlock label={call.isError ? "Result sent to the model (error)" : "Result sent to the model"} text={call.content} />
      ) : null}
    </div>
  );
}

/** Reads the call of an approval until the call has ended. */
function useCallOf({ turnId, callId, status }: Approval): Call | undefined {
  const find = (calls: readonly Call[] | undefined) => calls?.find((call) => call.callId === callId);
  const { data: turn } = useQuery({
    ...turnQueries.one(turnId),
    enabled: status === "approved" || status === "answered",
    refetchInterval: ({ state }) => (isOver(find(state.data?.calls)) || state.data?.finishedAt ? false : resultPollMs),
  });
  return find(turn?.calls);
}

const isOver = (call: Call | undefined) => finalCallStatuses.some((status) => status === call?.status);

function describeDecider({ decidedBy, decidedFrom }: Approval): string {
  if (!decidedBy || decidedBy.type === "system") return "";
  const place = decidedFrom ? `${decidedFrom.kind === "messenger" ? "in" : "from the"} ${decisionPlaceWords(decidedFrom)} ` : "";
  return `by ${decidedBy.name} ${place}`;
}

/** Describes the outcome of an approval in a sentence. */
export function outcomeSentence(approval: Pick<Approval, "kind" | "status" | "comment" | "quorum">, call: Call | undefined): string {
  switch (approval.status) {
    case "approved":
      return call ? resultSentence(call) : "Approved.";
    case "rejected":
      if (approval.kind === "question") return "Declined. The tool was told.";
      return approval.comment ? "The call did not run. Reason sent to the model:" : "The call did not run. The model was told.";
    case "answered":
      return "Answered. The tool continues with the answer.";
    case "expired":
      return approval.kind === "question"
        ? "Nobody answered in time. The tool was told."
        : "Nobody answered in time. The call did not run, and the model was told.";
    case "cancelled":
      return "The turn was cancelled before anybody answered.";
    case "void":
      return "The call changed after the request, so the decision does not count.";
    case "pending":
      return `Your approval counts. ${approval.quorum.got} of ${approval.quorum.needed} approvals so far.`;
  }
}

function resultSentence({ status, durationMs }: Pick<Call, "status" | "durationMs">): string {
  const lasted = durationMs === null ? "" : durationText(durationMs);
  switch (status) {
    case "pending":
    case "awaiting_approval":
      return "Approved. Waiting to run.";
    case "running":
      return "Approved. Running…";
    case "released":
      return "Approved. The client runs it.";
    case "succeeded":
      return lasted ? `Succeeded in ${lasted}.` : "Succeeded.";
    case "failed":
      return lasted ? `Failed after ${lasted}.` : "Failed.";
    case "timed_out":
      return lasted ? `Timed out after ${lasted}.` : "Timed out.";
    case "interrupted":
      return "Interrupted. Its outcome is unknown.";
    case "cancelled":
      return "Cancelled. The call was stopped.";
    case "denied":
      return "Denied by the guard when it was about to run.";
    case "rejected":
    case "expired":
      return "The call did not run.";
  }
}
