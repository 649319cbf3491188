import { turnEndpoints } from "@/contracts/turns";
import { route } from "@/server/http/route";
import { cancelTurn } from "@/server/turns/cancel-turn";

export const POST = route(turnEndpoints.cancel, ({ actor, params, signal }) => cancelTurn(actor, params.id, signal));
