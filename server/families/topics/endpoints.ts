import { topicEndpoints } from "@/contracts/agents/topics";
import { answer } from "@/server/endpoints/answer";
import { createTopic, listTopics, removeTopic } from "./manage-topics";
import { createWatch, listWatches, removeWatch, switchWatch } from "./manage-watches";
import { listMessages, sendToTopic } from "./topic-messages";

export const topicAnswers = answer(topicEndpoints, {
  list: ({ actor }) => listTopics(actor),
  create: ({ actor, body }) => createTopic(actor, body),
  remove: ({ actor, params }) => removeTopic(actor, params.id),
  listMessages: ({ actor, params, query }) => listMessages(actor, params.id, query),
  send: ({ actor, params, body }) => sendToTopic(actor, params.id, body),
  listWatches: ({ actor, params }) => listWatches(actor, params.id),
  createWatch: ({ actor, params, body }) => createWatch(actor, params.id, body),
  switchWatch: ({ actor, params, body }) => switchWatch(actor, params.id, body.enabled),
  removeWatch: ({ actor, params }) => removeWatch(actor, params.id),
});
