"use client";

import { Anchor } from "@mantine/core";
import { IconCalendarClock } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { FilterSelect } from "@/components/kit/ui/filters/filter-select";
import { nameChoices } from "@/components/kit/ui/forms/name-choices";
import type { ListColumn } from "@/components/kit/ui/lists/list-table";
import { PagedTable } from "@/components/kit/ui/lists/paged-table";
import { PageSection } from "@/components/kit/ui/page/page-section";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Schedule, ScheduleRun } from "@/contracts/automation/schedules";
import { scheduleQueries } from "./queries";
import { RunStatus } from "./run-status";

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
      error ? <RevealedText text={error} /> : runStatus ? runStatusWords[runStatus] : <span className={shared.dim}>–</span>,
  },
  {
    heading: "Text",
    wideOnly: true,
    cell: ({ text }) => (
      <span className={shared.dim}>
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
  const runs = useInfiniteQuery(scheduleQueries.runs(of ? { scheduleId: of } : {}));
  const hasNone = runs.data?.pages[0]?.items.length === 0;
  return (
    <PageSection
      heading="Runs"
      aside={
        of !== null || !hasNone ? (
          <FilterSelect
            label="Schedule"
            className={shared.filter}
            data={nameChoices(schedules)}
            value={of}
            onChange={onFilter}
            searchable
          />
        ) : null
      }
    >
      <PagedTable
        query={runs}
        items="runs"
        empty={
          <EmptyState icon={IconCalendarClock} title={of ? "This schedule has not run" : "No runs yet"}>
            Runs are kept here for 30 days, with the conversation that each one opened.
          </EmptyState>
        }
        label="Runs"
        columns={columns}
        hrefOf={({ scheduleId }) => `/schedules?schedule=${scheduleId}`}
        onOpen={({ scheduleId }) => onOpen(scheduleId)}
      />
    </PageSection>
  );
}
