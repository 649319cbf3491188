import { chatEndpoints } from "@/contracts/chats";
import { listChats } from "@/server/families/chats/list-chats";
import { route } from "@/server/http/route";

export const GET = route(chatEndpoints.list, ({ actor, query }) => listChats(actor, query));
