import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { queryClient } from "@/components/kit/api/query-client";
import { todoPageSize, todoQueries } from "@/components/nouns/todos/queries";
import { TodosView } from "@/components/nouns/todos/todos-view";
import { pageActor } from "@/server/auth/page-actor";
import { listTodos } from "@/server/families/todos/manage-todos";

export const metadata: Metadata = { title: "To-dos" };

export default async function TodosPage() {
  const actor = await pageActor("turns:read");
  const cache = queryClient();
  await cache.prefetchInfiniteQuery({
    ...todoQueries.list("open"),
    queryFn: () => listTodos(actor, { status: "open", limit: todoPageSize }),
  });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <TodosView />
    </HydrationBoundary>
  );
}
