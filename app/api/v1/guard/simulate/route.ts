import { policyEndpoints } from "@/contracts/policy";
import { route } from "@/server/http/route";
import { simulate } from "@/server/policy/simulation/simulate";

export const POST = route(policyEndpoints.simulate, ({ actor, body, signal }) => simulate(actor, body, signal));
