import { chatEndpoints, mostFileBytes } from "@/contracts/chats";
import { findConversation } from "@/server/conversations/find-conversation";
import { addFile } from "@/server/families/chats/add-file";
import { reply, route } from "@/server/http/route";
import { readRequestBytes } from "@/server/http/steps/read-input";

export const POST = route(chatEndpoints.addFile, async ({ actor, params, query, request }) => {
  // Before the body, so that nobody makes the server read 25 MiB for a conversation of others.
  await findConversation(actor, params.id);
  const bytes = await readRequestBytes(request, mostFileBytes);
  return reply(await addFile(actor, params.id, { name: query.name, bytes }), { status: 201 });
});
