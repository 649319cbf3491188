import { workEndpoints } from "@/contracts/work";
import { route } from "@/server/http/route";
import { retryFailedItem } from "@/server/jobs/settle-failed-item";

export const POST = route(workEndpoints.retry, ({ actor, params }) => retryFailedItem(actor, params.id));
