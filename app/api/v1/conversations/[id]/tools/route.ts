import { conversationEndpoints } from "@/contracts/conversations";
import { route } from "@/server/http/route";
import { listConversationTools } from "@/server/tools/list-conversation-tools";

export const GET = route(conversationEndpoints.tools, ({ actor, params, query }) => listConversationTools(actor, params.id, query.format));
