import { guardEndpoints } from "@/contracts/guard";
import { evaluateCall } from "@/server/guard/evaluate-call";
import { route } from "@/server/http/route";
import { asDecided } from "@/server/tools/as-decided";

export const POST = route(guardEndpoints.evaluate, async ({ actor, body }) =>
  evaluateCall(actor, { ...body, ...(await asDecided(actor.workspaceId, body)) }),
);
