"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import type { PlannedChange } from "@/contracts/guard/policy";
import { flippedCalls, type SimulationSum } from "./policy/simulation-sum";
import { FlippedCalls, SimulationSummary } from "./policy/simulation-summary";
import { guardQueries } from "./queries";

type AskedChange = {
  title: string;
  /** Verb on the button. */
  action: string;
  change: PlannedChange;
  onConfirm: () => Promise<unknown>;
};

/**
 * Returns a function that simulates a change on recorded calls before saving. A change without effect on decisions is
 * saved at once; otherwise the person confirms after seeing the effect. When the simulation fails, the change is saved
 * too, because saving reports the error.
 */
export function useChangePreview(): (asked: AskedChange) => void {
  const client = useQueryClient();
  const latest = useRef(0);
  return ({ title, action, change, onConfirm }) => {
    latest.current += 1;
    const turn = latest.current;
    const act = () => void onConfirm().catch(() => undefined);
    const decide = (sum: SimulationSum | null) => {
      // A newer change replaces this one, because the person went on.
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
