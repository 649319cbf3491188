"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { grantQueries } from "@/components/grants/queries";
import { pendingCountQuery } from "@/components/shell/pending-count-query";
import { type Approval, type ApprovalAnswer, approvalEndpoints } from "@/contracts/approvals";
import { approvalQueries } from "./queries";

const pendingKey = approvalQueries.pending().queryKey;
const countKey = pendingCountQuery.queryKey;

type Answering = { approval: Approval; answer: ApprovalAnswer };

/** Answers an approval. The screen shows the answer at once and takes it back when the server refuses it. */
export function useDecide() {
  const client = useQueryClient();
  const changeCount = (by: number) =>
    client.setQueryData(countKey, (list) => list && { ...list, total: Math.max(0, (list.total ?? list.items.length) + by) });
  return useMutation({
    mutationFn: ({ approval, answer }: Answering) => call(approvalEndpoints.decide, { params: { id: approval.id }, body: answer }),
    meta: { showsError: true },
    onMutate: async ({ approval, answer }) => {
      await client.cancelQueries({ queryKey: approvalQueries.all() });
      client.setQueryData(pendingKey, (list) => list && { ...list, items: list.items.filter(({ id }) => id !== approval.id) });
      changeCount(-1);
      client.setQueryData(approvalQueries.one(approval.id).queryKey, {
        ...approval,
        status: answer.decision === "approve" ? "approved" : "rejected",
        comment: answer.comment,
        decidedAt: new Date().toISOString(),
      });
    },
    onError: (_error, { approval }) => {
      client.setQueryData(
        pendingKey,
        (list) => list && { ...list, items: [approval, ...list.items.filter(({ id }) => id !== approval.id)] },
      );
      changeCount(1);
      client.setQueryData(approvalQueries.one(approval.id).queryKey, approval);
    },
    onSuccess: (decided) => client.setQueryData(approvalQueries.one(decided.id).queryKey, decided),
    onSettled: (_decided, _error, { answer }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: approvalQueries.all() }),
        answer.remember ? client.invalidateQueries({ queryKey: grantQueries.all() }) : null,
      ]),
  });
}
