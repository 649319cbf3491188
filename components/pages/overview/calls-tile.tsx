"use client";

import { IconActivity } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import shared from "@/components/kit/ui/shared.module.css";
import type { OverviewRange } from "@/contracts/operations/overview";
import { OutcomeLabel } from "./outcome-label";
import { outcomesIn } from "./outcome-series";
import classes from "./overview.module.css";
import { overviewQueries } from "./queries";
import { rangeWords } from "./range-words";
import { Tile } from "./tile";
import { turnsAddress } from "./turns-address";

const format = new Intl.NumberFormat("en");

/** Outcomes of the calls in the range. */
export function CallsTile({ range }: { range: OverviewRange }) {
  const { data, error, isPending } = useQuery(overviewQueries.get(range));
  const href = turnsAddress(data ? { from: data.from } : {});
  return (
    <Tile title={`Calls, ${rangeWords[range].long}`} icon={IconActivity} href={href} error={data ? null : error} loading={isPending}>
      {data ? (
        <>
          <p className={classes.number}>
            {format.format(data.calls.total)} <span className={classes.unit}>{data.calls.total === 1 ? "call" : "calls"}</span>
          </p>
          {data.calls.total === 0 ? <p className={`${classes.dim} ${shared.note} ${shared.wraps}`}>No calls yet.</p> : null}
          <ul className={shared.plainList}>
            {outcomesIn(data.calls.byStatus).map(({ outcome, count }) => (
              <li key={outcome} className={`${classes.line} ${shared.spread}`}>
                <OutcomeLabel outcome={outcome} />
                {format.format(count)}
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </Tile>
  );
}
