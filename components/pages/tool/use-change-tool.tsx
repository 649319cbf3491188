"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { call } from "@/components/kit/api/call";
import { replaceRow } from "@/components/kit/resources/replace-row";
import { offerUndo } from "@/components/kit/ui/overlays/offer-undo";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { toolQueries } from "@/components/nouns/tools/queries";
import { tierNames } from "@/components/nouns/tools/sum-tokens";
import { type Tool, type ToolTier, toolEndpoints } from "@/contracts/browser/tools/tools";

export type ToolChange = { tier: ToolTier } | { enabled: boolean };
type Changing = { tool: Tool; change: ToolChange; isUndo?: boolean };

const changing = ["tools", "change"] as const;

/** Switches a tool or changes its tier. The page shows the change at once, offers to undo it, and reverts it after a refusal. */
export function useChangeTool() {
  const client = useQueryClient();
  const { queryKey } = toolQueries.list();
  const show = (changed: Tool) => client.setQueryData(queryKey, (tools) => tools && replaceRow(tools, changed));

  const { mutate } = useMutation({
    mutationKey: changing,
    // Changes run one after the other, so that the last press wins.
    scope: { id: "tools" },
    mutationFn: ({ tool, change }: Changing) =>
      "tier" in change
        ? call(toolEndpoints.setTier, { params: { id: tool.id }, body: change })
        : call(toolEndpoints.update, { params: { id: tool.id }, body: change }),
    onMutate: async ({ tool, change }) => {
      await client.cancelQueries({ queryKey });
      show({ ...tool, ...change });
    },
    onError: (_error, { tool }) => show(tool),
    onSuccess: (saved, { tool, change, isUndo }) => {
      // Skips the result while a later change is under way, because the page already shows that change.
      if (client.isMutating({ mutationKey: changing }) === 1) show(saved);
      if (isUndo) return;
      offerUndo(<ChangeWords tool={saved} change={change} />, () => mutate({ tool: saved, change: reversed(tool, change), isUndo: true }));
    },
    onSettled: () => {
      if (client.isMutating({ mutationKey: changing }) === 1) void client.invalidateQueries({ queryKey: toolQueries.all() });
    },
  });
  return useCallback((tool: Tool, change: ToolChange) => mutate({ tool, change }), [mutate]);
}

const reversed = (before: Tool, change: ToolChange): ToolChange => ("tier" in change ? { tier: before.tier } : { enabled: before.enabled });

function ChangeWords({ tool, change }: { tool: Tool; change: ToolChange }) {
  return (
    <>
      <CodeText>{tool.name}</CodeText> {"tier" in change ? `moved to ${tierNames[change.tier]}` : change.enabled ? "enabled" : "disabled"}
    </>
  );
}
