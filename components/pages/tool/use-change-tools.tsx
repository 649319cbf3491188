"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { toolQueries } from "@/components/nouns/tools/queries";
import { type ToolsChanged, toolEndpoints } from "@/contracts/browser/tools/tools";
import type { ToolChange } from "./use-change-tool";

/** Result of a bulk change. */
export type BulkResult = ToolsChanged & { change: ToolChange; isUndo: boolean };

/** Changes many tools in one request, keeps the result, and can undo the change. */
export function useChangeTools(onChanged: () => void) {
  const client = useQueryClient();
  const [result, setResult] = useState<BulkResult | null>(null);
  const { mutate, isPending } = useMutation({
    scope: { id: "tools" },
    mutationFn: ({ names, change }: { names: readonly string[]; change: ToolChange; isUndo: boolean }) =>
      call(toolEndpoints.change, { body: { tools: [...names], ...change } }),
    onSuccess: (changed, { change, isUndo }) => {
      setResult({ ...changed, change, isUndo });
      onChanged();
      return client.invalidateQueries({ queryKey: toolQueries.all() });
    },
  });
  return {
    result,
    isPending,
    change: (names: readonly string[], change: ToolChange) => mutate({ names, change, isUndo: false }),
    undo: ({ changed, change }: BulkResult) => mutate({ names: changed, change: opposite(change), isUndo: true }),
    dismiss: () => setResult(null),
  };
}

/** Returns the reverse change, which is exact because the result lists only tools whose value changed. */
function opposite(change: ToolChange): ToolChange {
  return "tier" in change ? { tier: change.tier === "core" ? "extension" : "core" } : { enabled: !change.enabled };
}
