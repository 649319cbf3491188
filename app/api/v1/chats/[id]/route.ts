import { chatEndpoints } from "@/contracts/chats";
import { getChat } from "@/server/families/chats/list-chats";
import { renameChat } from "@/server/families/chats/rename-chat";
import { route } from "@/server/http/route";

export const GET = route(chatEndpoints.get, ({ actor, params }) => getChat(actor, params.id));
export const PATCH = route(chatEndpoints.update, ({ actor, params, body }) => renameChat(actor, params.id, body));
