"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { agentQueries } from "@/components/agents/queries";
import { useRefusal } from "@/components/session/me";
import { OrderedList } from "@/components/ui/ordered-list";
import type { Hook } from "@/contracts/hooks";
import { confirmRemoval } from "./confirm-removal";
import { HookRow } from "./hook-row";
import { useOrderHooks, useSwitchHook } from "./use-change-hook";

type HookListProps = { hooks: readonly Hook[]; onOpen: (id: string) => void; onShowRuns: (id: string) => void };

/** The hooks in the order in which they run. */
export function HookList({ hooks, onOpen, onShowRuns }: HookListProps) {
  const refusal = useRefusal("hooks:write");
  const client = useQueryClient();
  const order = useOrderHooks();
  const switching = useSwitchHook();
  const agents = useQuery(agentQueries.list());
  const nameOf = (agentId: string | null) => agents.data?.items.find(({ id }) => id === agentId)?.name ?? null;
  return (
    <OrderedList
      items={hooks}
      label="Hooks in order"
      leadWidth="8rem"
      onOrder={(moved) => order.mutate(moved)}
      row={(hook, rowOrder) => (
        <HookRow
          key={hook.id}
          hook={hook}
          order={rowOrder}
          agentName={nameOf(hook.match.agentId)}
          refusal={refusal}
          onOpen={() => onOpen(hook.id)}
          onShowRuns={() => onShowRuns(hook.id)}
          onSwitch={(enabled) => switching.mutate({ hook, enabled })}
          onRemove={() => confirmRemoval(hook, client, () => {})}
        />
      )}
    />
  );
}
