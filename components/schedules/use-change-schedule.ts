"use client";

import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { type Schedule, scheduleEndpoints } from "@/contracts/browser/schedules";
import { scheduleQueries } from "./queries";

/** Pauses or resumes a schedule. */
export function useSwitchSchedule() {
  const client = useQueryClient();
  return useMutation({
    scope: { id: "schedules" },
    mutationFn: ({ schedule, enabled }: { schedule: Schedule; enabled: boolean }) => {
      const { name, action, text, timing, timezone, missed } = schedule;
      const body = { name, action, text, timing, timezone, missed, enabled };
      return call(scheduleEndpoints.update, { params: { id: schedule.id }, body }, { version: schedule.version });
    },
    onSettled: () => client.invalidateQueries({ queryKey: scheduleQueries.all() }),
  });
}

/** Runs a schedule now. */
export function useRunSchedule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Schedule) => call(scheduleEndpoints.run, { params: { id } }),
    onSuccess: ({ schedule }) => notifications.show({ message: `${schedule} opened a conversation` }),
    onSettled: () => client.invalidateQueries({ queryKey: scheduleQueries.all() }),
  });
}
