import { conversationEndpoints } from "@/contracts/conversations";
import { getConversation } from "@/server/conversations/get-conversation";
import { route } from "@/server/http/route";
import { removeConversation } from "@/server/turns/remove-conversation";

export const GET = route(conversationEndpoints.get, ({ actor, params }) => getConversation(actor, params.id));
export const DELETE = route(conversationEndpoints.remove, ({ actor, params }) => removeConversation(actor, params.id));
