"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { delegationQueries } from "@/components/nouns/delegation/queries";
import { toolQueries } from "@/components/nouns/tools/queries";
import type { DelegationSettingsPatch } from "@/contracts/agents/delegation";
import { type DelegationSettings, delegationEndpoints } from "@/contracts/browser/agents/delegation";

/** Saves settings of delegation. Saves follow each other, because each has to name the version that the one before made. */
export function useSaveDelegation(onSaved: (saved: DelegationSettings) => void) {
  const client = useQueryClient();
  const key = delegationQueries.settings().queryKey;
  return useMutation({
    meta: { showsError: true },
    scope: { id: "delegation settings" },
    mutationFn: (patch: DelegationSettingsPatch) =>
      call(delegationEndpoints.update, { body: patch }, { version: client.getQueryData(key)?.version ?? 0 }),
    onSuccess: async (saved) => {
      client.setQueryData(key, saved);
      onSaved(saved);
      await client.invalidateQueries({ queryKey: toolQueries.all() });
    },
  });
}
