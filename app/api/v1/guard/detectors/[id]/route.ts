import { guardEndpoints } from "@/contracts/guard";
import { reply, route, versionMatched } from "@/server/http/route";
import { updateDetector } from "@/server/policy/rules/list-detectors";

export const PUT = route(guardEndpoints.updateDetector, async ({ actor, params, body, request }) => {
  const { detector, policyVersion } = await updateDetector(actor, params.id, body, versionMatched(request));
  return reply(detector, { headers: { etag: `"${policyVersion}"` } });
});

export const DELETE = route(guardEndpoints.resetDetector, async ({ actor, params, request }) => {
  const { detector, policyVersion } = await updateDetector(actor, params.id, { enabled: true }, versionMatched(request));
  return reply(detector, { headers: { etag: `"${policyVersion}"` } });
});
