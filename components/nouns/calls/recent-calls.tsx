"use client";

import { IconActivity } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { durationText } from "@/components/kit/ui/text/duration-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { CallFilter } from "@/contracts/calls/calls";
import type { Tool } from "@/contracts/tools/tools";
import { argumentLine } from "./argument-line";
import { CallStatusBadge } from "./call-status-badge";
import { callQueries } from "./queries";
import classes from "./recent-calls.module.css";

type RecentCallsProps = {
  filter: CallFilter;
  tools: readonly Pick<Tool, "name" | "primaryArgument">[];
  /** Explanation shown when the list is empty. */
  empty: string;
};

/** The newest calls of a tool or an agent, each with a link to its turn. */
export function RecentCalls({ filter, tools, empty }: RecentCallsProps) {
  const calls = useQuery(callQueries.recent(filter));
  if (calls.isPending) return <RowSkeletons rows={3} height={3} what="the calls" />;
  if (!calls.data) {
    return <ErrorState error={calls.error} what="the calls" retry={() => void calls.refetch()} retrying={calls.isFetching} />;
  }
  if (calls.data.items.length === 0) {
    return (
      <EmptyState icon={IconActivity} title="No calls yet">
        {empty}
      </EmptyState>
    );
  }
  return (
    <ul className={rows.rows} aria-label="Recent calls">
      {calls.data.items.map((call) => (
        <li key={call.callId} className={`${rows.row} ${classes.row} ${shared.spread}`}>
          <Link className={`${rows.link} ${classes.call}`} href={`/turns/${call.turnId}`} data-row>
            {filter.tool === undefined ? (
              <span className={`${classes.name} ${shared.mono}`}>
                <RevealedText text={call.name} />
              </span>
            ) : null}
            <span className={shared.oneLine}>
              <CodeText>
                <RevealedText text={argumentLine(call.arguments, tools.find(({ name }) => name === call.name)?.primaryArgument ?? null)} />
              </CodeText>
            </span>
          </Link>
          <span className={classes.facts}>
            <CallStatusBadge status={call.status} plain />
            {call.durationMs === null ? null : <span data-numeric>{durationText(call.durationMs)}</span>}
            {filter.agentId === undefined ? (
              <span className={shared.dim}>
                <RevealedText text={call.agent} />
              </span>
            ) : null}
            <span className={shared.dim}>
              <RelativeTime at={call.createdAt} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
