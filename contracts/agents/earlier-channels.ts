import { z } from "zod";
import { Id, listOf } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { TopicMessage, TopicWatch, topicEndpoints } from "./topics";

/** The member names of version 0.2, in which a topic was called a channel. */
const earlier = { channelId: Id, channel: z.string() };

export const ChannelMessage = TopicMessage.omit({ topicId: true, topic: true }).extend(earlier).meta({ id: "ChannelMessage" });
export type ChannelMessage = z.infer<typeof ChannelMessage>;

export const ChannelWatch = TopicWatch.omit({ topicId: true, topic: true }).extend(earlier).meta({ id: "ChannelWatch" });
export type ChannelWatch = z.infer<typeof ChannelWatch>;

const { list, create, remove, listMessages, send, listWatches, createWatch, switchWatch, removeWatch } = topicEndpoints;
const deprecated = true;

export const earlierChannelEndpoints = {
  list: endpoint({ ...list, path: "/api/v1/channels", deprecated }),
  create: endpoint({ ...create, path: "/api/v1/channels", deprecated }),
  remove: endpoint({ ...remove, path: "/api/v1/channels/{id}", deprecated }),
  listMessages: endpoint({ ...listMessages, path: "/api/v1/channels/{id}/messages", response: listOf(ChannelMessage), deprecated }),
  send: endpoint({ ...send, path: "/api/v1/channels/{id}/messages", response: ChannelMessage, deprecated }),
  listWatches: endpoint({
    ...listWatches,
    path: "/api/v1/channels/{id}/watches",
    response: z.object({ items: z.array(ChannelWatch) }),
    deprecated,
  }),
  createWatch: endpoint({ ...createWatch, path: "/api/v1/channels/{id}/watches", response: ChannelWatch, deprecated }),
  switchWatch: endpoint({ ...switchWatch, path: "/api/v1/channels/watches/{id}", response: ChannelWatch, deprecated }),
  removeWatch: endpoint({ ...removeWatch, path: "/api/v1/channels/watches/{id}", deprecated }),
};

/** Earlier names of topics, which were channels until version 0.3: addresses, audit events, and an event of webhooks. */
export const earlierChannelContract = defineContract({
  reference: { name: "Channels", description: "The earlier addresses of topics. They answer as before for one version." },
  endpoints: earlierChannelEndpoints,
  audit: {
    "channel.created": "Topic created (then called channel)",
    "channel.removed": "Topic removed (then called channel)",
    "channel.message_sent": "Message sent to a topic (then called channel)",
    "channel_watch.created": "Watch of a topic created (then called channel)",
    "channel_watch.switched": "Watch of a topic switched on or off (then called channel)",
    "channel_watch.removed": "Watch of a topic removed (then called channel)",
    "channel_watch.fired": "Watch of a topic fired (then called channel)",
    "channel_watch.failed": "Watch of a topic could not start its agent (then called channel)",
  },
  events: {
    "channel_watch.fired": {
      label: "Watch of a topic fired (earlier name)",
      explanation: "The same as topic_watch.fired, with the member `channel`. It is sent for one version",
    },
  },
});
