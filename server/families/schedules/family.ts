import { handled } from "@/server/jobs/run-queue";
import { defineFamily } from "../define-family";
import { schedules } from "./agent-schedules";
import { scheduleAnswers } from "./endpoints";
import { runDueSchedule } from "./run-schedule";
import { scheduledRunQueue, scheduleQueue } from "./schedule-queue";
import { findLostRuns, removeOldScheduleRuns } from "./schedule-sweeps";
import { sendBackScheduled } from "./send-back-result";
import { startScheduledRun } from "./start-scheduled-run";
import { addSchedule, addTimer } from "./tools/add-trigger";
import { createReminder } from "./tools/create-reminder";
import { cronJob } from "./tools/cron-job";

export const schedulesFamily = defineFamily({
  name: "schedules",
  endpoints: scheduleAnswers,
  tools: [cronJob, createReminder, addTimer, addSchedule],
  capabilities: [schedules],
  runEnded: sendBackScheduled,
  queues: [handled(scheduleQueue, runDueSchedule), handled(scheduledRunQueue, startScheduledRun)],
  removeOldRows: [removeOldScheduleRuns],
  findLostWork: [findLostRuns],
});
