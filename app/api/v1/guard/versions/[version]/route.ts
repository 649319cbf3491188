import { policyEndpoints } from "@/contracts/policy";
import { getVersion } from "@/server/guard/versions/get-version";
import { route } from "@/server/http/route";

export const GET = route(policyEndpoints.getVersion, ({ actor, params, query }) => getVersion(actor, params.version, query.against));
