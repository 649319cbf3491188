"use client";

import { Anchor, Select } from "@mantine/core";
import { IconCalendarClock } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { type ListColumn, ListTable } from "@/components/ui/list-table";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { spellHidden } from "@/components/ui/reveal-hidden";
import { RevealedText } from "@/components/ui/revealed-text";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import type { Schedule, ScheduleRun } from "@/contracts/schedules";
import { scheduleQueries } from "./queries";
import { RunStatus } from "./run-status";
import classes from "./schedules.module.css";

const runStatusWords: Record<NonNullable<ScheduleRun["runStatus"]>, string> = {
  queued: "Waits for a server",
  running: "Working",
  waiting: "Waits for approval",
  succeeded: "Answered",
  failed: "Failed",
  cancelled: "Cancelled",
  limited: "Ended at a limit",
};

type RunsSectionProps = {
  schedules: readonly Schedule[];
  /** Id of the schedule whose runs are shown; null for all. */
  of: string | null;
  onFilter: (of: string | null) => void;
  onOpen: (scheduleId: string) => void;
};

const columns: readonly ListColumn<ScheduleRun>[] = [
  { heading: "Schedule", width: "14rem", cell: ({ schedule }) => <RevealedText text={schedule} /> },
  { heading: "State", width: "8rem", cell: (run) => <RunStatus status={run.status} /> },
  {
    heading: "Agent's run",
    width: "10rem",
    wideOnly: true,
    cell: ({ error, runStatus }) =>
      error ? <RevealedText text={error} /> : runStatus ? runStatusWords[runStatus] : <span className={classes.dim}>–</span>,
  },
  {
    heading: "Text",
    wideOnly: true,
    cell: ({ text }) => (
      <span className={classes.dim}>
        <RevealedText text={text.split("\n", 1)[0]?.slice(0, 100) ?? ""} />
      </span>
    ),
  },
  { heading: "Started by", width: "7rem", wideOnly: true, cell: ({ trigger }) => (trigger === "clock" ? "Schedule" : "A person") },
  {
    heading: "Conversation",
    width: "8rem",
    cell: ({ conversationId }) =>
      conversationId ? (
        <Anchor component={Link} href={`/turns?conversation=${conversationId}`} size="sm">
          Turns
        </Anchor>
      ) : (
        "–"
      ),
  },
  { heading: "Due", width: "6.5rem", cell: ({ dueAt }) => <RelativeTime at={dueAt} /> },
];

/** Runs of the last 30 days. */
export function RunsSection({ schedules, of, onFilter, onOpen }: RunsSectionProps) {
  const { data, error, refetch, isRefetching, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    scheduleQueries.runs(of ? { scheduleId: of } : {}),
  );
  const rows = data?.pages.flatMap(({ items }) => items);
  return (
    <section className={classes.runs} aria-labelledby="runs-heading">
      <header className={classes.runsHeader}>
        <h2 className={classes.heading} id="runs-heading">
          Runs
        </h2>
        {of !== null || rows?.length !== 0 ? (
          <Select
            aria-label="Schedule"
            placeholder="Every schedule"
            className={classes.filter}
            data={schedules.map(({ id, name }) => ({ value: id, label: spellHidden(name) }))}
            value={of}
            onChange={onFilter}
            searchable
            clearable
          />
        ) : null}
      </header>
      {!rows && error ? (
        <ErrorState error={error} what="the runs" retry={() => void refetch()} retrying={isRefetching} />
      ) : !rows ? (
        <RowSkeletons rows={4} height={2.25} what="the runs" />
      ) : rows.length === 0 ? (
        <EmptyState icon={IconCalendarClock} title={of ? "This schedule has not run" : "No runs yet"}>
          Runs are kept here for 30 days, with the conversation that each one opened.
        </EmptyState>
      ) : (
        <>
          <ListTable
            label="Runs"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            hrefOf={({ scheduleId }) => `/schedules?schedule=${scheduleId}`}
            onOpen={({ scheduleId }) => onOpen(scheduleId)}
          />
          <LoadMore hasMore={hasNextPage} loading={isFetchingNextPage} onMore={fetchNextPage} what="runs" />
        </>
      )}
    </section>
  );
}
