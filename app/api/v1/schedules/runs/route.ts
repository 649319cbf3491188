import { scheduleEndpoints } from "@/contracts/schedules";
import { listScheduleRuns } from "@/server/families/schedules/list-schedules";
import { route } from "@/server/http/route";

export const GET = route(scheduleEndpoints.listRuns, ({ actor, query }) => listScheduleRuns(actor, query));
