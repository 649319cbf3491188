import { healthEndpoints } from "@/contracts/health";
import { readiness } from "@/server/http/readiness";
import { reply, route } from "@/server/http/route";

export const GET = route(healthEndpoints.ready, async () => {
  const ready = await readiness();
  return reply(ready, { status: ready.status === "ok" ? 200 : 503 });
});
