import { modelEndpoints } from "@/contracts/models";
import { route } from "@/server/http/route";
import { listModelsOf } from "@/server/models/list-offered-models";

export const GET = route(modelEndpoints.listModels, ({ actor, params, signal }) => listModelsOf(actor, params.id, signal));
