import { conversationEndpoints } from "@/contracts/conversations";
import { findConversation } from "@/server/conversations/find-conversation";
import { eventStream } from "@/server/http/event-stream";
import { route } from "@/server/http/route";
import { jobFeed } from "@/server/turns/background/job-feed";

export const GET = route(conversationEndpoints.events, async ({ actor, params, signal, isStillAllowed }) => {
  await findConversation(actor, params.id);
  return eventStream({ signal, isStillAllowed }, (until) => jobFeed(params.id, until));
});
