import { guardEndpoints } from "@/contracts/guard";
import { route } from "@/server/http/route";
import { evaluateCall } from "@/server/policy/evaluate-call";
import { normalizeCall } from "@/server/tools/normalize-call";

export const POST = route(guardEndpoints.evaluate, async ({ actor, body }) =>
  evaluateCall(actor, { ...body, ...(await normalizeCall(actor.workspaceId, body)) }),
);
