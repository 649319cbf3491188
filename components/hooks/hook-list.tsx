"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { agentQueries } from "@/components/agents/queries";
import { moveRule } from "@/components/guard/move-rule";
import { useRefusal } from "@/components/shell/me";
import type { Hook } from "@/contracts/hooks";
import { confirmRemoval } from "./confirm-removal";
import { HookRow } from "./hook-row";
import classes from "./hooks.module.css";
import { useOrderHooks, useSwitchHook } from "./use-change-hook";

type HookListProps = { hooks: readonly Hook[]; onOpen: (id: string) => void; onShowRuns: (id: string) => void };

/** The hooks in the order in which they run. */
export function HookList({ hooks, onOpen, onShowRuns }: HookListProps) {
  const refusal = useRefusal("hooks:write");
  const client = useQueryClient();
  const order = useOrderHooks();
  const switching = useSwitchHook();
  const agents = useQuery(agentQueries.list());
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const nameOf = (agentId: string | null) => agents.data?.items.find(({ id }) => id === agentId)?.name ?? null;
  const move = (id: string, to: number) => {
    const moved = moveRule(hooks, id, to);
    if (moved !== hooks) order.mutate(moved);
  };
  const drop = (onto: string) => {
    if (dragged)
      move(
        dragged,
        hooks.findIndex(({ id }) => id === onto),
      );
    setDragged(null);
    setOver(null);
  };
  return (
    <ol className={classes.list} aria-label="Hooks in the order in which they run">
      {hooks.map((hook, place) => (
        <HookRow
          key={hook.id}
          hook={hook}
          agentName={nameOf(hook.match.agentId)}
          place={place}
          count={hooks.length}
          refusal={refusal}
          isDragged={dragged === hook.id}
          isTarget={over === hook.id && dragged !== null && dragged !== hook.id}
          onDrag={setDragged}
          onDragOver={setOver}
          onDrop={() => drop(hook.id)}
          onMove={(to) => move(hook.id, to)}
          onOpen={() => onOpen(hook.id)}
          onShowRuns={() => onShowRuns(hook.id)}
          onSwitch={(enabled) => switching.mutate({ hook, enabled })}
          onRemove={() => confirmRemoval(hook, client, () => {})}
        />
      ))}
    </ol>
  );
}
