"use client";

import { useQuery } from "@tanstack/react-query";
import type { ResourcePage } from "@/components/kit/resources/use-resource-page";
import { OrderedList } from "@/components/kit/ui/lists/ordered-list";
import { agentQueries } from "@/components/nouns/agents/queries";
import type { Hook } from "@/contracts/hooks/hooks";
import { HookRow } from "./hook-row";

type HookListProps = { page: ResourcePage<Hook>; onShowRuns: (id: string) => void };

/** The hooks in the order in which they run. */
export function HookList({ page, onShowRuns }: HookListProps) {
  const agents = useQuery(agentQueries.list());
  const nameOf = (agentId: string | null) => agents.data?.items.find(({ id }) => id === agentId)?.name ?? null;
  return (
    <OrderedList
      items={page.rows}
      label="Hooks in order"
      leadWidth="8rem"
      onOrder={page.order}
      row={(hook, rowOrder) => (
        <HookRow
          key={hook.id}
          hook={hook}
          order={rowOrder}
          agentName={nameOf(hook.match.agentId)}
          refusal={page.refusal}
          onOpen={() => page.open(hook.id)}
          onShowRuns={() => onShowRuns(hook.id)}
          onSwitch={(enabled) => page.switchEnabled(hook, enabled)}
          onRemove={() => page.confirmRemoval(hook, "The hook stops with the next call. Its runs stay listed.")}
        />
      )}
    />
  );
}
