import { guardEndpoints } from "@/contracts/guard";
import { route } from "@/server/http/route";
import { evaluateCall } from "@/server/turns/evaluate-call";

export const POST = route(guardEndpoints.evaluate, ({ actor, body }) => evaluateCall(actor, body));
