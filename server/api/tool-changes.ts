import { toolChangeEndpoints } from "@/contracts/tools/tool-changes";
import { answer } from "@/server/endpoints/answer";
import { decidePin } from "@/server/tools/pins/decide-pin";
import { getToolChange, listToolChanges } from "@/server/tools/pins/list-changes";

export const toolChangeAnswers = answer(toolChangeEndpoints, {
  list: ({ actor, query }) => listToolChanges(actor, query),
  get: ({ actor, params }) => getToolChange(actor, params.id),
  decide: ({ actor, params, body }) => decidePin(actor, params.id, params.name, body),
});
