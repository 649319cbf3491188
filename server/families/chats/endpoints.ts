import { chatEndpoints, mostFileBytes } from "@/contracts/chats";
import { findConversation } from "@/server/conversations/find-conversation";
import { answer } from "@/server/endpoints/answer";
import { readRequestBytes } from "@/server/endpoints/read-request-bytes";
import { reply } from "@/server/endpoints/reply";
import { addFile } from "./add-file";
import { listChatRuns } from "./list-chat-runs";
import { getChat, listChats } from "./list-chats";
import { renameChat } from "./rename-chat";

export const chatAnswers = answer(chatEndpoints, {
  list: ({ actor, query }) => listChats(actor, query),
  get: ({ actor, params }) => getChat(actor, params.id),
  update: ({ actor, params, body }) => renameChat(actor, params.id, body),
  runs: ({ actor, params, query }) => listChatRuns(actor, params.id, { ...query, superseded: query.superseded === "true" }),
  addFile: async ({ actor, params, query, request }) => {
    // Before the body, so that nobody makes the server read 25 MiB for a conversation of others.
    await findConversation(actor, params.id);
    const bytes = await readRequestBytes(request, mostFileBytes);
    return reply(await addFile(actor, params.id, { name: query.name, bytes }), { status: 201 });
  },
});
