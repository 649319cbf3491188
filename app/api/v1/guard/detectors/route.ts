import { guardEndpoints } from "@/contracts/guard";
import { listDetectors } from "@/server/guard/rules/list-detectors";
import { reply, route } from "@/server/http/route";

export const GET = route(guardEndpoints.listDetectors, async ({ actor }) => {
  const list = await listDetectors(actor);
  return reply(list, { headers: { etag: `"${list.policyVersion}"` } });
});
