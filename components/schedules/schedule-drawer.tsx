"use client";

import { IconCalendarOff } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { DetailDrawer } from "@/components/ui/detail-drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import { useIdlePreload } from "@/components/ui/use-idle-preload";
import type { Schedule } from "@/contracts/schedules";
import { ScheduleDetails } from "./schedule-details";

const loadForm = () => import("./schedule-form");
const ScheduleForm = dynamic(() => loadForm().then((file) => file.ScheduleForm), {
  ssr: false,
  loading: () => <RowSkeletons rows={5} height={3.5} what="the form" />,
});

type ScheduleDrawerProps = {
  /** Id of a schedule, or `new`. */
  id: string | null;
  isEditing: boolean;
  isLoading: boolean;
  schedules: readonly Schedule[];
  onEdit: (isEditing: boolean) => void;
  onShowRuns: (id: string) => void;
  onClose: () => void;
};

/** Details of a schedule, its settings, or the form for a new one. */
export function ScheduleDrawer({ id, isEditing, isLoading, schedules, onEdit, onShowRuns, onClose }: ScheduleDrawerProps) {
  useIdlePreload(loadForm);
  const schedule = schedules.find((candidate) => candidate.id === id);
  const title = id === "new" ? "Add a schedule" : schedule ? (isEditing ? `Edit ${schedule.name}` : schedule.name) : "Schedule";
  return (
    <DetailDrawer opened={id !== null} onClose={onClose} title={title} holds={id === "new" || (schedule && isEditing) ? "form" : "story"}>
      {id === "new" ? (
        <ScheduleForm schedule={null} onDone={onClose} />
      ) : schedule ? (
        isEditing ? (
          <ScheduleForm key={schedule.id} schedule={schedule} onDone={() => onEdit(false)} />
        ) : (
          <ScheduleDetails
            key={schedule.id}
            schedule={schedule}
            onEdit={() => onEdit(true)}
            onRemoved={onClose}
            onShowRuns={() => onShowRuns(schedule.id)}
          />
        )
      ) : isLoading ? (
        <RowSkeletons rows={4} height={2.25} what="the schedule" />
      ) : (
        <EmptyState icon={IconCalendarOff} title="Schedule not found">
          The schedule was removed, or the address is wrong.
        </EmptyState>
      )}
    </DetailDrawer>
  );
}
