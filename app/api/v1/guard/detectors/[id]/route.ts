import { guardEndpoints } from "@/contracts/guard";
import { updateDetector } from "@/server/guard/rules/list-detectors";
import { reply, route, versionMatched } from "@/server/http/route";

export const PUT = route(guardEndpoints.updateDetector, async ({ actor, params, body, request }) => {
  const { detector, policyVersion } = await updateDetector(actor, params.id, body, versionMatched(request));
  return reply(detector, { headers: { etag: `"${policyVersion}"` } });
});
