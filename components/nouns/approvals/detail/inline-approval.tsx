"use client";

import { Anchor, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { useNow } from "@/components/kit/ui/text/now";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Approval } from "@/contracts/approvals/approvals";
import { AnswerPanel } from "../answer/answer-panel";
import { ApprovalStatusBadge } from "../approval-status-badge";
import { useOutcome } from "../outbox/decision-outbox";
import { approvalQueries } from "../queries";
import { timeLeft } from "../time-left";
import { toInboxRow } from "../to-inbox-row";
import { CallTitle } from "./approval-summary";
import { AskedCall } from "./asked-call";
import { DeciderList } from "./decider-list";
import classes from "./inline-approval.module.css";

const expiryPollMs = 2_000;

/** An approval outside the inbox: what the inbox shows to decide on, with the inbox's own answers. */
export function InlineApproval({ id }: { id: string }) {
  const now = useNow();
  const outcome = useOutcome(id);
  const {
    data: approval,
    error,
    refetch,
    isRefetching,
  } = useQuery({
    ...approvalQueries.one(id),
    // Only the server knows the outcome of an expiry.
    refetchInterval: ({ state }) => (state.data?.status === "pending" && timeLeft(state.data.expiresAt, now).isOver ? expiryPollMs : false),
  });
  if (!approval) {
    return error ? (
      <ErrorState error={error} what="this approval" retry={refetch} retrying={isRefetching} />
    ) : (
      <Skeleton height={180} aria-hidden />
    );
  }
  const decided = outcome?.state === "taken" ? outcome.approval : approval;
  if (decided.status !== "pending") return <DecidedLine approval={decided} />;
  const { question } = approval;
  return (
    <section className={classes.card} aria-label={question ? "Question" : `Approval of ${approval.tool.title}`} data-approval={approval.id}>
      <CallTitle approval={approval}>
        {/* A heading, because the reasons below have one of the next level. */}
        <h2 className={shared.title}>{question ? "Question" : <RevealedText text={approval.tool.title} />}</h2>
      </CallTitle>
      <AskedCall approval={approval} canApprove />
      <DeciderList approval={approval} />
      <AnswerPanel row={toInboxRow(approval)} approval={approval} />
      <Anchor component={Link} href={`/approvals?approval=${approval.id}`} size="xs">
        Open in the inbox
      </Anchor>
    </section>
  );
}

/** A decided approval in one line; its call, with what came of it, stands above. */
function DecidedLine({ approval: { id, status, decidedBy } }: { approval: Approval }) {
  return (
    <p className={classes.decided} data-approval={id} role="status">
      <ApprovalStatusBadge status={status} plain />
      {decidedBy && decidedBy.type !== "system" ? (
        <span>
          by <RevealedText text={decidedBy.name} />
        </span>
      ) : null}
      <Anchor component={Link} href={`/approvals?tab=history&approval=${id}`} size="xs">
        See the approval
      </Anchor>
    </p>
  );
}
