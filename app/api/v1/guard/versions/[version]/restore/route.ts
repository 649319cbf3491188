import { guardEndpoints } from "@/contracts/guard";
import { restoreVersion } from "@/server/guard/restore-version";
import { route } from "@/server/http/route";

export const POST = route(guardEndpoints.restoreVersion, ({ actor, params }) => restoreVersion(actor, params.version));
