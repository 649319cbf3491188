"use client";

import { IconHandStop } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { approvalQueries } from "@/components/approvals/queries";
import { TimeLeftBadge } from "@/components/approvals/time-left-badge";
import { MachineText } from "@/components/ui/machine-text";
import classes from "./overview.module.css";
import { Tile } from "./tile";

const named = 3;

/** The calls that wait for a person, the one that ends first on top. */
export function WaitingTile() {
  const { data, error, isPending } = useQuery(approvalQueries.pending());
  const waiting = data?.items.toSorted((a, b) => a.expiresAt.localeCompare(b.expiresAt)) ?? [];
  const count = data?.total ?? waiting.length;
  return (
    <Tile title="Approvals" icon={IconHandStop} href="/approvals" urgent={count > 0} error={data ? null : error} loading={isPending}>
      <p className={classes.number}>
        {count} <span className={classes.unit}>{count === 1 ? "call waits" : "calls wait"}</span>
      </p>
      {count === 0 ? <p className={classes.dim}>Nothing needs a person now.</p> : null}
      <ul className={classes.lines}>
        {waiting.slice(0, named).map((approval) => (
          <li key={approval.id} className={classes.line}>
            <MachineText>{approval.tool.name}</MachineText>
            <TimeLeftBadge expiresAt={approval.expiresAt} />
          </li>
        ))}
      </ul>
      {count > named ? <p className={classes.dim}>and {count - named} more</p> : null}
    </Tile>
  );
}
