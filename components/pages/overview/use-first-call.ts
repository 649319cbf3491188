"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { approvalQueries } from "@/components/nouns/approvals/queries";
import { turnQueries } from "@/components/nouns/turns/queries";
import { approvalEndpoints } from "@/contracts/browser/approvals/approvals";
import { conversationEndpoints } from "@/contracts/browser/conversations/conversations";
import { type Turn, turnEndpoints } from "@/contracts/browser/turns/turns";
import { firstCall } from "./first-call";

const maxWaitSeconds = 30;

/** Submits the first call as a turn of a new conversation, and decides its approval. */
export function useFirstCall() {
  const client = useQueryClient();
  const refresh = () => Promise.all([approvalQueries.all(), turnQueries.all()].map((queryKey) => client.invalidateQueries({ queryKey })));
  const submit = useMutation({
    mutationFn: async () => {
      const body = { channel: "console", metadata: { title: "First call" } };
      const { id } = await call(conversationEndpoints.create, { body });
      return call(turnEndpoints.submit, { params: { id }, body: firstCall });
    },
    meta: { showsError: true },
    onSettled: refresh,
  });
  const decide = useMutation({
    mutationFn: async ({ turn, decision }: { turn: Turn; decision: "approve" | "reject" }) => {
      const id = findPendingApproval(turn);
      if (id) await call(approvalEndpoints.decide, { params: { id }, body: { decision } });
      return call(turnEndpoints.get, { params: { id: turn.id }, query: { wait: maxWaitSeconds } });
    },
    meta: { showsError: true },
    onSettled: refresh,
  });
  return { submit, decide, turn: decide.data ?? submit.data ?? null };
}

/** Returns the id of the turn's pending approval. */
export function findPendingApproval(turn: Turn): string | null {
  return turn.calls.find(({ status }) => status === "awaiting_approval")?.approvalId ?? null;
}
