import { workEndpoints } from "@/contracts/work";
import { route } from "@/server/http/route";
import { listWorkQueues } from "@/server/jobs/list-work-queues";

export const GET = route(workEndpoints.queues, ({ actor }) => listWorkQueues(actor));
