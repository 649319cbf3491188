import { turnEndpoints } from "@/contracts/turns";
import { route } from "@/server/http/route";
import { promoteCall } from "@/server/turns/promote-call";

export const POST = route(turnEndpoints.promote, ({ actor, params, signal }) => promoteCall(actor, params.id, params.callId, signal));
