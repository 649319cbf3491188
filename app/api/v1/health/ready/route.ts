import { healthEndpoints } from "@/contracts/health";
import { reply, route } from "@/server/http/route";
import { readiness } from "@/server/replicas/readiness";

export const GET = route(healthEndpoints.ready, async () => {
  const ready = await readiness();
  return reply(ready, { status: ready.status === "ok" ? 200 : 503 });
});
