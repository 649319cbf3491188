"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { offerUndo } from "@/components/kit/ui/overlays/offer-undo";
import { type MemoryEntry, type MemoryFile, memoryEndpoints } from "@/contracts/browser/memory/memory";
import { type MemoryFact, memoryFactEndpoints } from "@/contracts/browser/memory/memory-facts";
import { memoryUpkeepEndpoints } from "@/contracts/browser/memory/memory-upkeep";
import { memoryQueries } from "./queries";

/** Changes what an agent remembers, and reads the lists again. */
export function useChangeMemory() {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: memoryQueries.all() });
  const byId = (id: string) => ({ params: { id } });
  const restoreEntry = useMutation({
    mutationFn: ({ agentId, scope, ownerKey, type, key, content }: MemoryEntry) =>
      call(memoryEndpoints.saveEntry, { body: { agentId, scope, ownerKey, type, key, content } }),
    onSettled,
  });
  const restoreFact = useMutation({
    mutationFn: ({ agentId, scope, ownerKey, subject, statement }: MemoryFact) =>
      call(memoryFactEndpoints.create, { body: { agentId, scope, ownerKey, subject, statement } }),
    onSettled,
  });
  return {
    tick: useMutation({
      mutationFn: async ({ id, enabled }: MemoryFile) => {
        const { content, version } = await call(memoryEndpoints.getFile, byId(id));
        return call(memoryEndpoints.updateFile, { params: { id }, body: { content, enabled: !enabled } }, { version });
      },
      onSettled,
    }),
    removeEntry: useMutation({
      mutationFn: ({ id }: MemoryEntry) => call(memoryEndpoints.removeEntry, byId(id)),
      onSuccess: (_, entry) => offerUndo(`${entry.type}/${entry.key} forgotten`, () => restoreEntry.mutate(entry)),
      onSettled,
    }),
    confirmFact: useMutation({ mutationFn: ({ id }: MemoryFact) => call(memoryFactEndpoints.confirm, byId(id)), onSettled }),
    settleFact: useMutation({ mutationFn: ({ id }: MemoryFact) => call(memoryFactEndpoints.settle, byId(id)), onSettled }),
    removeFact: useMutation({
      mutationFn: ({ id }: MemoryFact) => call(memoryFactEndpoints.remove, byId(id)),
      onSuccess: (_, fact) => offerUndo("Fact forgotten", () => restoreFact.mutate(fact)),
      onSettled,
    }),
    undoChange: useMutation({ mutationFn: (id: string) => call(memoryUpkeepEndpoints.undoChange, byId(id)), onSettled }),
  };
}
