import { scheduleEndpoints } from "@/contracts/schedules";
import { getSchedule } from "@/server/families/schedules/find-schedule";
import { removeSchedule } from "@/server/families/schedules/remove-schedule";
import { updateSchedule } from "@/server/families/schedules/update-schedule";
import { route, versionMatched } from "@/server/http/route";

export const GET = route(scheduleEndpoints.get, ({ actor, params }) => getSchedule(actor, params.id));

export const PUT = route(scheduleEndpoints.update, ({ actor, params, body, request }) =>
  updateSchedule(actor, params.id, body, versionMatched(request)),
);

export const DELETE = route(scheduleEndpoints.remove, async ({ actor, params, request }) => {
  await removeSchedule(actor, params.id, versionMatched(request));
  return {};
});
