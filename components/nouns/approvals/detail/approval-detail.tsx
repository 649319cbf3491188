"use client";

import { Skeleton, Stack } from "@mantine/core";
import { IconGhost } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { isApiProblem } from "@/components/kit/api/api-problem";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { useNow } from "@/components/kit/ui/text/now";
import type { InboxRow } from "@/contracts/approvals/approvals";
import { AnswerPanel } from "../answer/answer-panel";
import { approvalQueries } from "../queries";
import { timeLeft } from "../time-left";
import { toInboxRow } from "../to-inbox-row";
import classes from "./approval-detail.module.css";
import { ApprovalSummary } from "./approval-summary";

const expiryPollMs = 2_000;

type ApprovalDetailProps = {
  id: string;
  /** The inbox line, if the list has it: enough to reject the call before its detail is there. */
  row?: InboxRow | null;
};

/** One approval: its call, the reason, the rest of its turn, and the answer, which stays in view. */
export function ApprovalDetail({ id, row = null }: ApprovalDetailProps) {
  const { data: approval = null, error, refetch, isRefetching } = useApproval(id);
  const line = approval ? toInboxRow(approval) : row;
  if (error && !approval) {
    const isGone = isApiProblem(error) && error.problem.status === 404;
    return (
      <div className={classes.story}>
        {isGone ? (
          <EmptyState icon={IconGhost} title="This approval does not exist">
            The approval was deleted with its conversation, or the link is wrong.
          </EmptyState>
        ) : (
          <ErrorState error={error} what="this approval" retry={refetch} retrying={isRefetching} />
        )}
      </div>
    );
  }
  return (
    <>
      <div className={classes.story}>
        {approval ? (
          <ApprovalSummary approval={approval} />
        ) : (
          <Stack aria-hidden>
            <Skeleton height={40} />
            <Skeleton height={120} />
            <Skeleton height={160} />
          </Stack>
        )}
      </div>
      {/* One panel before and after the detail is there, so that its field keeps the focus. */}
      <div className={`${classes.answer} ${shared.footer}`}>{line ? <AnswerPanel row={line} approval={approval} /> : null}</div>
    </>
  );
}

/** Reads an approval, and reads it again at expiry, because only the server knows the outcome. */
function useApproval(id: string) {
  const now = useNow();
  return useQuery({
    ...approvalQueries.one(id),
    refetchInterval: ({ state }) => {
      const { data } = state;
      return data?.status === "pending" && timeLeft(data.expiresAt, now).isOver ? expiryPollMs : false;
    },
  });
}
