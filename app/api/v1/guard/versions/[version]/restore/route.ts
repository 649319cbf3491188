import { guardEndpoints } from "@/contracts/guard";
import { restoreVersion } from "@/server/guard/versions/restore-version";
import { route, versionMatched } from "@/server/http/route";

export const POST = route(guardEndpoints.restoreVersion, ({ actor, params, request }) =>
  restoreVersion(actor, params.version, versionMatched(request)),
);
