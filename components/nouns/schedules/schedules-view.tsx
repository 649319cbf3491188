"use client";

import { Switch } from "@mantine/core";
import { IconCalendarClock } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { parseAsString, useQueryState } from "nuqs";
import { AddButton } from "@/components/kit/resources/add-button";
import { useResourcePage } from "@/components/kit/resources/use-resource-page";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { type ListColumn, ListTable } from "@/components/kit/ui/lists/list-table";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Schedule } from "@/contracts/automation/schedules";
import { scheduleResource } from "./queries";
import { RunsSection } from "./runs-section";
import { timingWords } from "./timing-words";

// Loaded after the page, because a drawer opens only on a click.
const ScheduleDrawer = dynamic(() => import("./schedule-drawer").then((file) => file.ScheduleDrawer), { ssr: false });

/** The schedules of the workspace and their runs. */
export function SchedulesView() {
  const page = useResourcePage(scheduleResource, { title: "Schedules", address: "schedule", permission: "schedules:write" });
  const { list, rows: schedules, refusal } = page;
  const [of, setOf] = useQueryState("of", parseAsString.withOptions({ history: "push" }));
  const columns: readonly ListColumn<Schedule>[] = [
    { heading: "Schedule", cell: ({ name }) => <RevealedText text={name} /> },
    { heading: "Agent", width: "9rem", wideOnly: true, cell: ({ agent }) => <RevealedText text={agent} /> },
    {
      heading: "When",
      width: "15rem",
      cell: ({ timing, timezone }) => (
        <>
          {timingWords(timing)} {timing.kind === "cron" ? <span className={shared.dim}>{timezone}</span> : null}
        </>
      ),
    },
    {
      heading: "Next run",
      width: "7rem",
      cell: ({ nextRunAt, enabled, timing }) =>
        nextRunAt ? <RelativeTime at={nextRunAt} isAhead /> : <span className={shared.dim}>{nextWords({ enabled, timing })}</span>,
    },
    {
      heading: "Last run",
      width: "7rem",
      wideOnly: true,
      cell: ({ lastRunAt }) => (lastRunAt ? <RelativeTime at={lastRunAt} /> : <span className={shared.dim}>never</span>),
    },
    {
      heading: "On",
      width: "4rem",
      cell: (schedule) => (
        <DisabledReason reason={refusal}>
          <Switch
            aria-label={`${schedule.name} is on`}
            checked={schedule.enabled}
            disabled={refusal !== null}
            onChange={(event) => page.switchEnabled(schedule, event.currentTarget.checked)}
          />
        </DisabledReason>
      ),
    },
  ];
  const addButton = <AddButton noun="schedule" page={page} />;
  return (
    <>
      <PageHeader title="Schedules" description="Prompts and reminders by the clock. Each run opens a conversation of its own.">
        {schedules.length === 0 ? null : addButton}
      </PageHeader>
      <Loaded query={list} what="the schedules" rows={4} height={2.25}>
        {() =>
          schedules.length === 0 ? (
            <EmptyState icon={IconCalendarClock} title="No schedules yet" action={addButton}>
              Add a schedule, or let an agent add one with its tool cron_job.
            </EmptyState>
          ) : (
            <ListTable
              label="Schedules"
              columns={columns}
              rows={schedules}
              hrefOf={({ id }) => `?schedule=${id}`}
              onOpen={({ id }) => page.open(id)}
            />
          )
        }
      </Loaded>
      <RunsSection schedules={schedules} of={of} onFilter={(id) => void setOf(id)} onOpen={page.open} />
      <ScheduleDrawer
        page={page}
        onShowRuns={(id) => {
          page.close();
          void setOf(id);
        }}
      />
    </>
  );
}

const nextWords = ({ enabled, timing }: Pick<Schedule, "enabled" | "timing">): string =>
  !enabled && timing.kind === "once" ? "over" : "paused";
