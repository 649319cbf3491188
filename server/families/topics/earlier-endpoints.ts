import { earlierChannelEndpoints } from "@/contracts/agents/earlier-channels";
import { answer } from "@/server/endpoints/answer";
import { createTopic, listTopics, removeTopic } from "./manage-topics";
import { createWatch, listWatches, removeWatch, switchWatch } from "./manage-watches";
import { listMessages, sendToTopic } from "./topic-messages";

/** Returns a message or a watch with the member names of version 0.2. */
const asChannel = <T extends { topicId: string; topic: string }>({ topicId, topic, ...rest }: T) => ({
  ...rest,
  channelId: topicId,
  channel: topic,
});

export const earlierChannelAnswers = answer(earlierChannelEndpoints, {
  list: ({ actor }) => listTopics(actor),
  create: ({ actor, body }) => createTopic(actor, body),
  remove: ({ actor, params }) => removeTopic(actor, params.id),
  listMessages: async ({ actor, params, query }) => {
    const { items, nextCursor } = await listMessages(actor, params.id, query);
    return { items: items.map(asChannel), nextCursor };
  },
  send: async ({ actor, params, body }) => asChannel(await sendToTopic(actor, params.id, body)),
  listWatches: async ({ actor, params }) => ({ items: (await listWatches(actor, params.id)).items.map(asChannel) }),
  createWatch: async ({ actor, params, body }) => asChannel(await createWatch(actor, params.id, body)),
  switchWatch: async ({ actor, params, body }) => asChannel(await switchWatch(actor, params.id, body.enabled)),
  removeWatch: ({ actor, params }) => removeWatch(actor, params.id),
});
