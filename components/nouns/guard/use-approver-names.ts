"use client";

import { useQuery } from "@tanstack/react-query";
import { memberQueries } from "@/components/nouns/members/queries";
import type { GuardRuleDraft } from "@/contracts/guard/guard";
import { guardQueries } from "./queries";
import { type ApproverNames, noApproverNames } from "./words/describe-approvers";

/** Returns what the sentence of a rule needs to name its approvers. A person who may not list members sees ids. */
export function useApproverNames({ approvers }: { approvers?: GuardRuleDraft["approvers"] | undefined }): ApproverNames {
  const namesPeople = (approvers?.users.length ?? 0) + (approvers?.escalation?.users.length ?? 0) > 0;
  const { data: members } = useQuery({ ...memberQueries.list(), retry: false, enabled: namesPeople });
  const { data: config } = useQuery(guardQueries.config());
  return {
    nameOf: (userId) => members?.items.find(({ id }) => id === userId)?.name ?? null,
    requesterMayDecide: config?.requesterMayDecide ?? noApproverNames.requesterMayDecide,
  };
}
