import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { createConversation } from "@/server/conversations/create-conversation";
import { findConversation } from "@/server/conversations/find-conversation";
import { getConversation } from "@/server/conversations/get-conversation";
import { answer } from "@/server/endpoints/answer";
import { eventStream } from "@/server/endpoints/event-stream";
import { reply } from "@/server/endpoints/reply";
import { listConversationTools } from "@/server/tools/list-conversation-tools";
import { jobFeed } from "@/server/turns/background/job-feed";
import { removeConversation } from "@/server/turns/remove-conversation";

export const conversationAnswers = answer(conversationEndpoints, {
  create: async ({ actor, body }) => {
    const { conversation, created } = await createConversation(actor, body);
    return reply(conversation, { status: created ? 201 : 200 });
  },
  get: ({ actor, params }) => getConversation(actor, params.id),
  remove: ({ actor, params }) => removeConversation(actor, params.id),
  events: async ({ actor, params, signal, isStillAllowed }) => {
    await findConversation(actor, params.id);
    return eventStream({ signal, isStillAllowed }, (until) => jobFeed(params.id, until));
  },
  tools: ({ actor, params, query }) => listConversationTools(actor, params.id, query.format),
});
