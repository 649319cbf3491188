import { chatEndpoints } from "@/contracts/chats";
import { listChatRuns } from "@/server/families/chats/list-chat-runs";
import { route } from "@/server/http/route";

export const GET = route(chatEndpoints.runs, ({ actor, params, query }) =>
  listChatRuns(actor, params.id, { ...query, superseded: query.superseded === "true" }),
);
