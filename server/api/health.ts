import { healthEndpoints } from "@/contracts/operations/health";
import { answer } from "@/server/endpoints/answer";
import { reply } from "@/server/endpoints/reply";
import { readiness } from "@/server/replicas/readiness";

export const healthAnswers = answer(healthEndpoints, {
  live: async () => ({ status: "ok" as const }),
  ready: async () => {
    const ready = await readiness();
    return reply(ready, { status: ready.status === "ok" ? 200 : 503 });
  },
});
