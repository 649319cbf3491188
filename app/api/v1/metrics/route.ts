import { metricsEndpoints } from "@/contracts/metrics";
import { renderMetrics } from "@/server/families/metrics/render-metrics";
import { route } from "@/server/http/route";

export const GET = route(metricsEndpoints.get, async ({ actor }) => {
  const { text, contentType } = await renderMetrics(actor);
  return new Response(text, { headers: { "content-type": contentType, "cache-control": "no-store" } });
});
