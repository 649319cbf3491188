import { toolEndpoints } from "@/contracts/tools";
import { route, versionMatched } from "@/server/http/route";
import { setTier } from "@/server/tools/update-tool";

export const PUT = route(toolEndpoints.setTier, ({ actor, params, body, request }) =>
  setTier(actor, params.id, body.tier, versionMatched(request)),
);
