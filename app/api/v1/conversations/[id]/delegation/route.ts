import { delegationEndpoints } from "@/contracts/delegation";
import { getConversationDelegation } from "@/server/families/delegation/conversation-delegation";
import { route } from "@/server/http/route";

export const GET = route(delegationEndpoints.ofConversation, ({ actor, params }) => getConversationDelegation(actor, params.id));
