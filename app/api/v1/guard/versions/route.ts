import { guardEndpoints } from "@/contracts/guard";
import { route } from "@/server/http/route";
import { listVersions } from "@/server/policy/versions/list-versions";

export const GET = route(guardEndpoints.listVersions, ({ actor, query }) => listVersions(actor, query));
