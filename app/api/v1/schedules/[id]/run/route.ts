import { scheduleEndpoints } from "@/contracts/schedules";
import { runScheduleNow } from "@/server/families/schedules/run-schedule";
import { route } from "@/server/http/route";

export const POST = route(scheduleEndpoints.run, ({ actor, params }) => runScheduleNow(actor, params.id));
