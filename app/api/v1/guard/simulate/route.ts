import { policyEndpoints } from "@/contracts/policy";
import { simulate } from "@/server/guard/simulation/simulate";
import { route } from "@/server/http/route";

export const POST = route(policyEndpoints.simulate, ({ actor, body, signal }) => simulate(actor, body, signal));
