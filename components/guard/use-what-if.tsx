"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { confirmAction } from "@/components/ui/confirm-action";
import type { PlannedChange } from "@/contracts/policy";
import { guardQueries } from "./queries";
import { flippedCalls, type SimulationSum } from "./simulation-sum";
import { FlippedCalls, SimulationSummary } from "./simulation-summary";

type Asked = {
  title: string;
  /** The verb on the button. */
  action: string;
  change: PlannedChange;
  onConfirm: () => Promise<unknown>;
};

/**
 * Tries a change on recorded calls before it is made. One that changes no decision is made at once; otherwise a person
 * sees first what it would do. What cannot be tried is made too: whoever saves it is told what is wrong.
 */
export function useWhatIf(): (asked: Asked) => void {
  const client = useQueryClient();
  const latest = useRef(0);
  return ({ title, action, change, onConfirm }) => {
    latest.current += 1;
    const turn = latest.current;
    const act = () => void onConfirm().catch(() => undefined);
    const decide = (sum: SimulationSum | null) => {
      // Somebody who goes on meanwhile means what they did last.
      if (turn !== latest.current) return;
      if (sum === null || flippedCalls(sum) === 0) return act();
      const children = (
        <>
          <SimulationSummary sum={sum} />
          <FlippedCalls sum={sum} />
        </>
      );
      confirmAction({ title, children, action, onConfirm });
    };
    client.fetchQuery(guardQueries.simulation(change)).then(decide, () => decide(null));
  };
}
