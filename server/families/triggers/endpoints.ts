import { triggerEndpoints } from "@/contracts/triggers";
import { answer } from "@/server/endpoints/answer";
import { listAutomations } from "./list-automations";
import { receiveEvent } from "./receive-event";
import { createTrigger, listFirings, rotateTriggerSecret, triggers } from "./triggers";

export const triggerAnswers = answer(triggerEndpoints, {
  list: triggers.list,
  create: createTrigger,
  get: triggers.get,
  update: triggers.update,
  remove: triggers.remove,
  rotateSecret: rotateTriggerSecret,
  listFirings: ({ actor, params, query }) => listFirings(actor, params.id, query),
  listAutomations: ({ actor }) => listAutomations(actor),
  receive: ({ request, params }) => receiveEvent(request, params.id),
});
