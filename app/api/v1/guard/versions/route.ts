import { guardEndpoints } from "@/contracts/guard";
import { listVersions } from "@/server/guard/versions/list-versions";
import { route } from "@/server/http/route";

export const GET = route(guardEndpoints.listVersions, ({ actor, query }) => listVersions(actor, query));
