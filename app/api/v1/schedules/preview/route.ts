import { scheduleEndpoints } from "@/contracts/schedules";
import { previewSchedule } from "@/server/families/schedules/preview-schedule";
import { route } from "@/server/http/route";

export const POST = route(scheduleEndpoints.preview, ({ actor, body }) => previewSchedule(actor, body));
