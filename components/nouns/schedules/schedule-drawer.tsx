"use client";

import { Alert, Anchor, Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle, IconCalendarOff, IconListSearch, IconPlayerPlay } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { call } from "@/components/kit/api/call";
import { FormSkeleton } from "@/components/kit/resources/form-skeleton";
import { ResourceDetails } from "@/components/kit/resources/resource-details";
import { ResourceDrawer } from "@/components/kit/resources/resource-drawer";
import type { ResourcePage } from "@/components/kit/resources/use-resource-page";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { Facts } from "@/components/kit/ui/page/facts";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { FoldableBlock } from "@/components/kit/ui/text/foldable-block";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { ShortId } from "@/components/kit/ui/text/short-id";
import { type Schedule, scheduleEndpoints } from "@/contracts/browser/automation/schedules";
import { RunStatus } from "./run-status";
import { timingWords } from "./timing-words";

const loadForm = () => import("./schedule-form");
const ScheduleForm = dynamic(() => loadForm().then((file) => file.ScheduleForm), { ssr: false, loading: FormSkeleton });

type ScheduleDrawerProps = { page: ResourcePage<Schedule>; onShowRuns: (id: string) => void };

/** Details of a schedule, its settings, or the form for a new one. */
export function ScheduleDrawer({ page, onShowRuns }: ScheduleDrawerProps) {
  return (
    <ResourceDrawer
      noun="schedule"
      page={page}
      missingIcon={IconCalendarOff}
      loadForm={loadForm}
      form={(schedule, leave) => <ScheduleForm schedule={schedule} onDone={leave} />}
      details={(schedule) => <Details schedule={schedule} page={page} onShowRuns={onShowRuns} />}
    />
  );
}

const removalLoss = "It runs no more, and its history is deleted. The conversations of its runs stay.";

function Details({ schedule, page, onShowRuns }: ScheduleDrawerProps & { schedule: Schedule }) {
  const { id, name, timing } = schedule;
  const run = useMutation({
    mutationFn: () => call(scheduleEndpoints.run, { params: { id } }),
    onSuccess: () => notifications.show({ message: spellHidden(`${name} opened a conversation`) }),
    onSettled: page.refresh,
  });
  return (
    <ResourceDetails
      page={page}
      row={schedule}
      offWord="Paused"
      loss={removalLoss}
      actions={
        <RefusableButton
          refusal={page.refusal}
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={run.isPending}
          onClick={() => run.mutate()}
        >
          Run now
        </RefusableButton>
      }
    >
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
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconListSearch size={14} aria-hidden />}
          onClick={() => onShowRuns(id)}
        >
          All its runs
        </Button>
      </div>
    </ResourceDetails>
  );
}
