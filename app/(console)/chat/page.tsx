import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { createLoader, type SearchParams } from "nuqs/server";
import { queryClient } from "@/components/kit/api/query-client";
import { agentQueries, maxAgents } from "@/components/nouns/agents/queries";
import { providerResource } from "@/components/nouns/models/queries";
import { ChatView } from "@/components/pages/chat/chat-view";
import { chatPageSize, chatQueries, runPageSize } from "@/components/pages/chat/queries";
import { chatSearch } from "@/components/pages/chat/search-params";
import { Id } from "@/contracts/common";
import { listAgents } from "@/server/agents/list-agents";
import { requirePermission } from "@/server/auth/actor";
import { pageActor } from "@/server/auth/page-actor";
import { listChatRuns } from "@/server/families/chats/list-chat-runs";
import { getChat, listChats } from "@/server/families/chats/list-chats";
import { listProviders } from "@/server/models/list-providers";

export const metadata: Metadata = { title: "Chat" };

const load = createLoader(chatSearch);

export default async function ChatPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await pageActor("turns:read");
  const { chat, query } = await load(searchParams);
  const cache = queryClient();
  const open = Id.safeParse(chat);
  const filter = query === "" ? {} : { query };
  await Promise.all([
    cache.prefetchInfiniteQuery({ ...chatQueries.list(filter), queryFn: () => listChats(actor, { ...filter, limit: chatPageSize }) }),
    cache.prefetchQuery({
      ...agentQueries.list(),
      queryFn: () => listAgents(requirePermission(actor, "tools:read"), { limit: maxAgents }),
    }),
    cache.prefetchQuery({ ...providerResource.list(), queryFn: () => listProviders(requirePermission(actor, "models:read")) }),
    ...(open.success
      ? [
          cache.prefetchQuery({ ...chatQueries.one(open.data), queryFn: () => getChat(actor, open.data) }),
          cache.prefetchInfiniteQuery({
            ...chatQueries.runs(open.data),
            queryFn: () => listChatRuns(actor, open.data, { limit: runPageSize }),
          }),
        ]
      : []),
  ]);
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <ChatView />
    </HydrationBoundary>
  );
}
