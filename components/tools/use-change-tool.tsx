"use client";

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { call } from "@/components/api/call";
import { MachineText } from "@/components/ui/machine-text";
import { type Tool, type ToolTier, toolEndpoints } from "@/contracts/tools";
import { toolQueries } from "./queries";
import { tierNames } from "./sum-tokens";
import classes from "./tools.module.css";

export type ToolChange = { tier: ToolTier } | { enabled: boolean };
type Changing = { tool: Tool; change: ToolChange; isUndo?: boolean };

const changing = ["tools", "change"] as const;
const undoMs = 12_000;

/** Moves a tool between the tiers or switches it. The page shows it at once, offers to undo it, and takes it back when it is refused. */
export function useChangeTool() {
  const client = useQueryClient();
  const { queryKey } = toolQueries.list();
  const show = (changed: Tool) => client.setQueryData(queryKey, (tools) => tools?.map((tool) => (tool.id === changed.id ? changed : tool)));

  const { mutate } = useMutation({
    mutationKey: changing,
    // One after the other: the last press of a finger is the one that stays.
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
      // While another change is on its way, the page already shows what that one leads to.
      if (client.isMutating({ mutationKey: changing }) === 1) show(saved);
      if (!isUndo) offerUndo(saved, change, () => mutate({ tool: saved, change: reversed(tool, change), isUndo: true }));
    },
    onSettled: () => {
      if (client.isMutating({ mutationKey: changing }) === 1) void client.invalidateQueries({ queryKey: toolQueries.all() });
    },
  });
  return useCallback((tool: Tool, change: ToolChange) => mutate({ tool, change }), [mutate]);
}

const reversed = (before: Tool, change: ToolChange): ToolChange => ("tier" in change ? { tier: before.tier } : { enabled: before.enabled });

function offerUndo(tool: Tool, change: ToolChange, undo: () => void) {
  const id = notifications.show({
    autoClose: undoMs,
    message: (
      <span className={classes.undo}>
        <span>
          <MachineText>{tool.name}</MachineText>{" "}
          {"tier" in change ? `is ${tierNames[change.tier]} now` : `is switched ${change.enabled ? "on" : "off"}`}
        </span>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          Undo
        </Button>
      </span>
    ),
  });
}
