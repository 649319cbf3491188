import { channelEndpoints } from "@/contracts/channels";
import { answer } from "@/server/endpoints/answer";
import { listMessages, sendToChannel } from "./channel-messages";
import { createChannel, listChannels, removeChannel } from "./manage-channels";
import { createWatch, listWatches, removeWatch, switchWatch } from "./manage-watches";

export const channelAnswers = answer(channelEndpoints, {
  list: ({ actor }) => listChannels(actor),
  create: ({ actor, body }) => createChannel(actor, body),
  remove: ({ actor, params }) => removeChannel(actor, params.id),
  listMessages: ({ actor, params, query }) => listMessages(actor, params.id, query),
  send: ({ actor, params, body }) => sendToChannel(actor, params.id, body),
  listWatches: ({ actor, params }) => listWatches(actor, params.id),
  createWatch: ({ actor, params, body }) => createWatch(actor, params.id, body),
  switchWatch: ({ actor, params, body }) => switchWatch(actor, params.id, body.enabled),
  removeWatch: ({ actor, params }) => removeWatch(actor, params.id),
});
