import { scheduleEndpoints } from "@/contracts/automation/schedules";
import { answer } from "@/server/endpoints/answer";
import { createSchedule } from "./create-schedule";
import { getSchedule } from "./find-schedule";
import { listScheduleRuns, listSchedules } from "./list-schedules";
import { previewSchedule } from "./preview-schedule";
import { removeSchedule } from "./remove-schedule";
import { runScheduleNow } from "./run-schedule";
import { updateSchedule } from "./update-schedule";

export const scheduleAnswers = answer(scheduleEndpoints, {
  list: ({ actor, query }) => listSchedules(actor, query),
  create: ({ actor, body }) => createSchedule(actor, body),
  get: ({ actor, params }) => getSchedule(actor, params.id),
  update: ({ actor, params, body, version }) => updateSchedule(actor, params.id, body, version),
  remove: ({ actor, params, version }) => removeSchedule(actor, params.id, version),
  run: ({ actor, params }) => runScheduleNow(actor, params.id),
  listRuns: ({ actor, query }) => listScheduleRuns(actor, query),
  preview: ({ actor, body }) => previewSchedule(actor, body),
});
