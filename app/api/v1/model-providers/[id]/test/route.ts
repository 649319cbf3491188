import { modelEndpoints } from "@/contracts/models";
import { route } from "@/server/http/route";
import { testProvider } from "@/server/models/test-provider";

export const POST = route(modelEndpoints.test, ({ actor, params, body, signal }) => testProvider(actor, params.id, body.model, signal));
