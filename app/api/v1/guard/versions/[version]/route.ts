import { policyEndpoints } from "@/contracts/policy";
import { route } from "@/server/http/route";
import { getVersion } from "@/server/policy/versions/get-version";

export const GET = route(policyEndpoints.getVersion, ({ actor, params, query }) => getVersion(actor, params.version, query.against));
