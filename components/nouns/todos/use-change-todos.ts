"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { todoEndpoints } from "@/contracts/browser/conversations/todos";
import { todoQueries } from "./queries";

/** Changes to-dos, and reads the lists again. */
export function useChangeTodos() {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: todoQueries.all() });
  const byId = (id: string) => ({ params: { id } });
  return {
    add: useMutation({
      meta: { showsError: true },
      mutationFn: (content: string) => call(todoEndpoints.create, { body: { content } }),
      onSettled,
    }),
    complete: useMutation({ mutationFn: (id: string) => call(todoEndpoints.complete, byId(id)), onSettled }),
    remove: useMutation({ mutationFn: (id: string) => call(todoEndpoints.remove, byId(id)), onSettled }),
    endRecurring: useMutation({ mutationFn: (id: string) => call(todoEndpoints.removeRecurring, byId(id)), onSettled }),
  };
}
