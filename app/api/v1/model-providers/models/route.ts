import { modelEndpoints } from "@/contracts/models";
import { route } from "@/server/http/route";
import { listDraftModels } from "@/server/models/list-offered-models";

export const POST = route(modelEndpoints.listDraftModels, ({ actor, body, signal }) => listDraftModels(actor, body, signal));
