import { runEndpoints } from "@/contracts/runs";
import { route } from "@/server/http/route";
import { listRunMessages } from "@/server/runs/load-run";

export const GET = route(runEndpoints.messages, ({ actor, params, query }) => listRunMessages(actor, params.id, query));
