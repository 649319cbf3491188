import { guardEndpoints } from "@/contracts/guard";
import { evaluateCall } from "@/server/guard/evaluate-call";
import { route } from "@/server/http/route";

export const POST = route(guardEndpoints.evaluate, ({ actor, body }) => evaluateCall(actor, body));
