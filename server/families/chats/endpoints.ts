import { chatEndpoints, maxFileBytes } from "@/contracts/runs/chats";
import { findConversation } from "@/server/conversations/find-conversation";
import { answer } from "@/server/endpoints/answer";
import { readRequestBytes } from "@/server/endpoints/read-request-bytes";
import { reply } from "@/server/endpoints/reply";
import { addFile } from "./add-file";
import { exportChat } from "./export-chat";
import { listChatRuns } from "./list-chat-runs";
import { getChat, listChats } from "./list-chats";
import { renameChat } from "./rename-chat";

const files = {
  markdown: { mediaType: "text/markdown; charset=utf-8", ending: "md" },
  json: { mediaType: "application/json; charset=utf-8", ending: "json" },
};

export const chatAnswers = answer(chatEndpoints, {
  list: ({ actor, query }) => listChats(actor, query),
  get: ({ actor, params }) => getChat(actor, params.id),
  update: ({ actor, params, body }) => renameChat(actor, params.id, body),
  runs: ({ actor, params, query }) => listChatRuns(actor, params.id, { ...query, superseded: query.superseded === "true" }),
  export: async ({ actor, params, query: { format } }) => {
    const { mediaType, ending } = files[format];
    return new Response(await exportChat(actor, params.id, format), {
      headers: {
        "content-type": mediaType,
        "content-disposition": `attachment; filename="conversation-${params.id}.${ending}"`,
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-type-options": "nosniff",
        "cache-control": "private, no-store",
      },
    });
  },
  addFile: async ({ actor, params, query, request }) => {
    // Before the body, so that nobody makes the server read 25 MiB for a conversation of others.
    await findConversation(actor, params.id);
    const bytes = await readRequestBytes(request, maxFileBytes);
    return reply(await addFile(actor, params.id, { name: query.name, bytes }), { status: 201 });
  },
});
