import { workEndpoints } from "@/contracts/work";
import { route } from "@/server/http/route";
import { listFailedItems } from "@/server/jobs/list-failed-items";

export const GET = route(workEndpoints.failed, ({ actor }) => listFailedItems(actor));
