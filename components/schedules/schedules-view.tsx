"use client";

import { Button, Switch } from "@mantine/core";
import { IconCalendarClock, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import { useShortcuts } from "@/components/keyboard/shortcuts";
import { useRowKeys } from "@/components/keyboard/use-row-keys";
import { useRefusal } from "@/components/session/me";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { type ListColumn, ListTable } from "@/components/ui/list-table";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { RevealedText } from "@/components/ui/revealed-text";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import type { Schedule } from "@/contracts/schedules";
import { scheduleQueries } from "./queries";
import { RunsSection } from "./runs-section";
import classes from "./schedules.module.css";
import { timingWords } from "./timing-words";
import { useSwitchSchedule } from "./use-change-schedule";

// Loaded after the page, because a drawer opens only on a click.
const ScheduleDrawer = dynamic(() => import("./schedule-drawer").then((file) => file.ScheduleDrawer), { ssr: false });

const inTheAddress = { schedule: parseAsString, edit: parseAsBoolean.withDefault(false), of: parseAsString };

/** The schedules of the workspace and their runs. */
export function SchedulesView() {
  const refusal = useRefusal("schedules:write");
  const schedules = useQuery(scheduleQueries.list());
  const change = useSwitchSchedule();
  const [address, setAddress] = useQueryStates(inTheAddress, { history: "push" });
  useRowKeys("Schedules");
  const open = (schedule: string | null) => void setAddress({ schedule, edit: null });
  const add = () => {
    if (refusal === null) open("new");
  };
  useShortcuts([{ keys: "n", label: "Add a schedule", group: "Schedules", run: add }]);

  const columns: readonly ListColumn<Schedule>[] = [
    { heading: "Schedule", cell: ({ name }) => <RevealedText text={name} /> },
    { heading: "Agent", width: "9rem", wideOnly: true, cell: ({ agent }) => <RevealedText text={agent} /> },
    {
      heading: "When",
      width: "15rem",
      cell: ({ timing, timezone }) => (
        <>
          {timingWords(timing)} {timing.kind === "cron" ? <span className={classes.dim}>{timezone}</span> : null}
        </>
      ),
    },
    {
      heading: "Next run",
      width: "7rem",
      cell: ({ nextRunAt, enabled, timing }) =>
        nextRunAt ? <RelativeTime at={nextRunAt} isAhead /> : <span className={classes.dim}>{nextWords({ enabled, timing })}</span>,
    },
    {
      heading: "Last run",
      width: "7rem",
      wideOnly: true,
      cell: ({ lastRunAt }) => (lastRunAt ? <RelativeTime at={lastRunAt} /> : <span className={classes.dim}>never</span>),
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
            onChange={(event) => change.mutate({ schedule, enabled: event.currentTarget.checked })}
          />
        </DisabledReason>
      ),
    },
  ];
  const items = schedules.data?.items ?? [];
  const addButton = (
    <DisabledReason reason={refusal}>
      <Button leftSection={<IconPlus size={16} aria-hidden />} disabled={refusal !== null} onClick={add}>
        Add schedule
      </Button>
    </DisabledReason>
  );
  return (
    <>
      <PageHeader title="Schedules" description="Prompts and reminders by the clock. Each run opens a conversation of its own.">
        {items.length === 0 ? null : addButton}
      </PageHeader>
      {schedules.isPending ? (
        <RowSkeletons rows={4} height={2.25} what="the schedules" />
      ) : !schedules.data ? (
        <ErrorState error={schedules.error} what="the schedules" retry={() => void schedules.refetch()} retrying={schedules.isFetching} />
      ) : items.length === 0 ? (
        <EmptyState icon={IconCalendarClock} title="No schedules yet" action={addButton}>
          Add a schedule, or let an agent add one with its tool cron_job.
        </EmptyState>
      ) : (
        <ListTable
          label="Schedules"
          columns={columns}
          rows={items}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `?schedule=${id}`}
          onOpen={({ id }) => open(id)}
        />
      )}
      <RunsSection schedules={items} of={address.of} onFilter={(of) => void setAddress({ of })} onOpen={open} />
      <ScheduleDrawer
        id={address.schedule}
        isEditing={address.edit}
        isLoading={schedules.isPending}
        schedules={items}
        onEdit={(edit) => void setAddress({ edit: edit || null })}
        onShowRuns={(of) => void setAddress({ schedule: null, edit: null, of })}
        onClose={() => open(null)}
      />
    </>
  );
}

const nextWords = ({ enabled, timing }: Pick<Schedule, "enabled" | "timing">): string =>
  !enabled && timing.kind === "once" ? "over" : "paused";
