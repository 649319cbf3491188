"use client";

import { Alert, Anchor, Button, Switch } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle, IconListSearch, IconPencil, IconPlayerPlay, IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { call } from "@/components/api/call";
import { useRefusal } from "@/components/session/me";
import { CodeText } from "@/components/ui/code-text";
import { confirmAction } from "@/components/ui/confirm-action";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { Facts } from "@/components/ui/facts";
import { FoldableBlock } from "@/components/ui/foldable-block";
import { RelativeTime } from "@/components/ui/relative-time";
import { spellHidden } from "@/components/ui/reveal-hidden";
import { RevealedText } from "@/components/ui/revealed-text";
import { ShortId } from "@/components/ui/short-id";
import { type Schedule, scheduleEndpoints } from "@/contracts/browser/schedules";
import { scheduleQueries } from "./queries";
import { RunStatus } from "./run-status";
import classes from "./schedules.module.css";
import { timingWords } from "./timing-words";
import { useRunSchedule, useSwitchSchedule } from "./use-change-schedule";

type ScheduleDetailsProps = { schedule: Schedule; onEdit: () => void; onRemoved: () => void; onShowRuns: () => void };

/** Details of a schedule: its times, its text and its actions. */
export function ScheduleDetails({ schedule, onEdit, onRemoved, onShowRuns }: ScheduleDetailsProps) {
  const refusal = useRefusal("schedules:write");
  const isRefused = refusal !== null;
  const client = useQueryClient();
  const change = useSwitchSchedule();
  const run = useRunSchedule();
  const remove = () =>
    confirmAction({
      title: `Remove ${schedule.name}`,
      children: "It runs no more, and its history is deleted. The conversations of its runs stay.",
      action: "Remove schedule",
      onConfirm: async () => {
        await call(scheduleEndpoints.remove, { params: { id: schedule.id } });
        onRemoved();
        notifications.show({ message: spellHidden(`${schedule.name} is removed`) });
        await client.invalidateQueries({ queryKey: scheduleQueries.all() });
      },
    });
  const { timing } = schedule;
  return (
    <div className={classes.story}>
      <DisabledReason reason={refusal}>
        <Switch
          label={schedule.enabled ? "On" : "Paused"}
          aria-label={`${schedule.name} is on`}
          checked={schedule.enabled}
          disabled={isRefused}
          onChange={(event) => change.mutate({ schedule, enabled: event.currentTarget.checked })}
        />
      </DisabledReason>
      <div className={classes.controls}>
        <DisabledReason reason={refusal}>
          <Button
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            loading={run.isPending}
            disabled={isRefused}
            onClick={() => run.mutate(schedule)}
          >
            Run now
          </Button>
        </DisabledReason>
        <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} disabled={isRefused} onClick={onEdit}>
          Edit
        </Button>
        <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} disabled={isRefused} onClick={remove}>
          Remove
        </Button>
      </div>
      {schedule.pausedReason ? (
        <Alert color="red" variant="light" title="Paused by Handrail" icon={<IconAlertTriangle size={16} aria-hidden />}>
          <RevealedText text={schedule.pausedReason} /> Let somebody who may start runs make the schedule anew, or switch it on again once
          they may.
        </Alert>
      ) : null}
      <FoldableBlock label={schedule.action === "prompt" ? "Prompt for the model" : "Reminder for people"} text={schedule.text} />
      <Facts
        facts={[
          ["Agent", schedule.agent],
          ["When", timingWords(timing)],
          ["Cron expression", timing.kind === "cron" ? <CodeText key="cron">{timing.expression}</CodeText> : null],
          ["Time zone", timing.kind === "cron" ? schedule.timezone : null],
          ["Next run", schedule.nextRunAt ? <RelativeTime key="next" at={schedule.nextRunAt} isAhead /> : "none while it is paused"],
          ["Last run", schedule.lastRunAt ? <RelativeTime key="last" at={schedule.lastRunAt} /> : "never"],
          ["Its outcome", schedule.lastStatus ? <RunStatus key="status" status={schedule.lastStatus} /> : null],
          ["Missed runs", schedule.missed === "run_once" ? "one late run makes up for all" : "skipped"],
          [
            "Made in",
            schedule.conversationId ? (
              <Anchor key="made" component={Link} href={`/turns?conversation=${schedule.conversationId}`} size="sm">
                This conversation
              </Anchor>
            ) : null,
          ],
          ["Made by", schedule.createdBy.name],
          ["Added", <RelativeTime key="added" at={schedule.createdAt} />],
          ["Id", <ShortId key="id" id={schedule.id} what="id of the schedule" />],
        ]}
      />
      <div>
        <Button variant="subtle" color="gray" size="compact-sm" leftSection={<IconListSearch size={14} aria-hidden />} onClick={onShowRuns}>
          All its runs
        </Button>
      </div>
    </div>
  );
}
