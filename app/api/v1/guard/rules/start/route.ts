import { guardEndpoints } from "@/contracts/guard";
import { route } from "@/server/http/route";
import { startRuleFromCall } from "@/server/policy/rules/start-rule-from-call";

export const GET = route(guardEndpoints.startFromCall, ({ actor, query }) => startRuleFromCall(actor, query.callId));
