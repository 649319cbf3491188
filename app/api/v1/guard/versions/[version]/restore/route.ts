import { guardEndpoints } from "@/contracts/guard";
import { route, versionMatched } from "@/server/http/route";
import { restoreVersion } from "@/server/policy/versions/restore-version";

export const POST = route(guardEndpoints.restoreVersion, ({ actor, params, request }) =>
  restoreVersion(actor, params.version, versionMatched(request)),
);
