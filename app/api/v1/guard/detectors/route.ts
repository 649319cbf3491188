import { guardEndpoints } from "@/contracts/guard";
import { reply, route } from "@/server/http/route";
import { listDetectors } from "@/server/policy/rules/list-detectors";

export const GET = route(guardEndpoints.listDetectors, async ({ actor }) => {
  const list = await listDetectors(actor);
  return reply(list, { headers: { etag: `"${list.policyVersion}"` } });
});
