"use client";

import { IconActivity } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { CallStatusBadge } from "@/components/turns/call-status-badge";
import { callStatuses } from "@/contracts/turns";
import classes from "./overview.module.css";
import { overviewQueries } from "./queries";
import { Tile } from "./tile";

const format = new Intl.NumberFormat("en");

/** How the calls of the last day ended. */
export function CallsTile() {
  const { data, error, isPending } = useQuery(overviewQueries.calls());
  return (
    <Tile title="Calls, last 24 hours" icon={IconActivity} href="/audit?event=call" error={data ? null : error} loading={isPending}>
      {data ? (
        <>
          <p className={classes.number}>
            {format.format(data.total)}
            {data.isAll ? "" : "+"} <span className={classes.unit}>{data.total === 1 ? "call" : "calls"}</span>
          </p>
          {data.total === 0 ? <p className={classes.dim}>No call has ended yet.</p> : null}
          <ul className={classes.lines}>
            {data.outcomes.map(({ outcome, count }) => {
              const status = callStatuses.find((known) => known === outcome);
              return status ? (
                <li key={outcome} className={classes.line}>
                  <CallStatusBadge status={status} plain />
                  {format.format(count)}
                </li>
              ) : null;
            })}
          </ul>
        </>
      ) : null}
    </Tile>
  );
}
