import { conversationEndpoints } from "@/contracts/conversations";
import { createConversation } from "@/server/conversations/create-conversation";
import { reply, route } from "@/server/http/route";

export const POST = route(conversationEndpoints.create, async ({ actor, body }) => {
  const { conversation, created } = await createConversation(actor, body);
  return reply(conversation, { status: created ? 201 : 200 });
});
