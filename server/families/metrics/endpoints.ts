import { metricsEndpoints } from "@/contracts/operations/metrics";
import { answer } from "@/server/endpoints/answer";
import { renderMetrics } from "./render-metrics";

export const metricsAnswers = answer(metricsEndpoints, {
  get: async ({ actor }) => {
    const { text, contentType } = await renderMetrics(actor);
    return new Response(text, { headers: { "content-type": contentType, "cache-control": "no-store" } });
  },
});
