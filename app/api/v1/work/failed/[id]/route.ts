import { workEndpoints } from "@/contracts/work";
import { route } from "@/server/http/route";
import { discardFailedItem } from "@/server/jobs/settle-failed-item";

export const DELETE = route(workEndpoints.discard, ({ actor, params }) => discardFailedItem(actor, params.id));
