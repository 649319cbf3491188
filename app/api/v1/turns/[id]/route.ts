import { turnEndpoints } from "@/contracts/turns";
import { route } from "@/server/http/route";
import { runWhileAllowed } from "@/server/http/run-while-allowed";
import { readTurn, requireTurn } from "@/server/turns/load-turn";
import { waitForTurn } from "@/server/turns/wait-for-turn";

export const GET = route(turnEndpoints.get, async ({ actor, params, query, signal, isStillAllowed }) => {
  await requireTurn(actor, params.id);
  if (query.wait === 0) return readTurn(params.id);
  return runWhileAllowed({ signal, isStillAllowed }, (until) => waitForTurn(params.id, query.wait, until));
});
