import { messengerEndpoints } from "@/contracts/messengers/messengers";
import { answer } from "@/server/endpoints/answer";
import { checkMessenger, listMessengerChats, listParts, sendTest, setChatAgent } from "./chats";
import { createMessenger, messengers } from "./messengers";
import { receiveWebhook } from "./receive/receive-webhook";
import { visit, visitFile } from "./website/visit";

export const messengerAnswers = answer(messengerEndpoints, {
  list: messengers.list,
  create: createMessenger,
  get: messengers.get,
  update: messengers.update,
  remove: messengers.remove,
  check: ({ actor, params }) => checkMessenger(actor, params.id),
  listChats: ({ actor, params, query }) => listMessengerChats(actor, params.id, query),
  setChatAgent: ({ actor, params, body }) => setChatAgent(actor, params, body.agentId),
  sendTest: ({ actor, params }) => sendTest(actor, params),
  listParts: ({ actor, params, query }) => listParts(actor, params.id, query),
  receive: ({ request, params }) => receiveWebhook(request, params.id),
  confirm: ({ request, params }) => receiveWebhook(request, params.id),
  visit,
  visitFile,
});
