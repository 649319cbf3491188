import { scheduleEndpoints } from "@/contracts/schedules";
import { createSchedule } from "@/server/families/schedules/create-schedule";
import { listSchedules } from "@/server/families/schedules/list-schedules";
import { route } from "@/server/http/route";

export const GET = route(scheduleEndpoints.list, ({ actor, query }) => listSchedules(actor, query));

export const POST = route(scheduleEndpoints.create, ({ actor, body }) => createSchedule(actor, body));
