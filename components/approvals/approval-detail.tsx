"use client";

import { Skeleton, Stack } from "@mantine/core";
import { IconGhost } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { isApiProblem } from "@/components/api/api-problem";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { useNow } from "@/components/ui/now";
import { AnswerPanel } from "./answer-panel";
import classes from "./approval-detail.module.css";
import { ApprovalSummary } from "./approval-summary";
import { approvalQueries } from "./queries";
import { timeLeft } from "./time-left";

const expiryPollMs = 2_000;

/** One approval: its call, the reason, the rest of its turn, and the answer, which stays in view. */
export function ApprovalDetail({ id }: { id: string }) {
  const { data: approval, error, refetch, isRefetching } = useApproval(id);
  if (approval) {
    return (
      <>
        <div className={classes.story}>
          <ApprovalSummary approval={approval} />
        </div>
        <div className={classes.answer}>
          <AnswerPanel approval={approval} />
        </div>
      </>
    );
  }
  if (error) {
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
    <Stack aria-hidden className={classes.story}>
      <Skeleton height={40} />
      <Skeleton height={120} />
      <Skeleton height={160} />
    </Stack>
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
