import { triggerEndpoints } from "@/contracts/automation/triggers";
import { answer } from "@/server/endpoints/answer";
import { listAutomations } from "./list-automations";
import { receiveEvent } from "./receive-event";
import { createTrigger, getTrigger, listFirings, listTriggers, rotateTriggerSecret, triggers } from "./triggers";

export const triggerAnswers = answer(triggerEndpoints, {
  list: listTriggers,
  create: createTrigger,
  get: getTrigger,
  update: triggers.update,
  remove: triggers.remove,
  rotateSecret: rotateTriggerSecret,
  listFirings: ({ actor, params, query }) => listFirings(actor, params.id, query),
  listAutomations: ({ actor }) => listAutomations(actor),
  receive: ({ request, params }) => receiveEvent(request, params.id),
});
