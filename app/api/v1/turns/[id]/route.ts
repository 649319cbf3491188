import { turnEndpoints } from "@/contracts/turns";
import { route } from "@/server/http/route";
import { demandTurn, readTurn } from "@/server/turns/load-turn";
import { waitForTurn } from "@/server/turns/wait-for-turn";

export const GET = route(turnEndpoints.get, async ({ actor, params, query, signal }) => {
  await demandTurn(actor, params.id);
  return query.wait > 0 ? waitForTurn(params.id, query.wait, signal) : readTurn(params.id);
});
